package io.idem.workshop.chaos.load;

import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.outside.Reply;
import java.util.LinkedHashSet;
import java.util.Set;

/** The answers to a client for one key. Thread-safe. */
public final class KeyStory {

    private final Lane lane;
    private final String key;
    private final Set<String> answers = new LinkedHashSet<>();
    private int posts;

    KeyStory(Lane lane, String key) {
        this.lane = lane;
        this.key = key;
    }

    synchronized void posted() {
        posts++;
    }

    synchronized void accepted(Reply reply) {
        answers.add(reply.status() + " " + reply.header("location").orElse("") + " " + reply.text());
    }

    synchronized void confirmed() {
        answers.add("confirmed by the broker");
    }

    public Lane lane() {
        return lane;
    }

    public String key() {
        return key;
    }

    /** Returns whether a request was accepted. */
    public synchronized boolean accepted() {
        return !answers.isEmpty();
    }

    /** Returns the number of different answers to accepted requests: one, if all is well. */
    public synchronized int differentAnswers() {
        return answers.size();
    }

    /** Returns the number of requests. */
    public synchronized int posts() {
        return posts;
    }
}
