package io.idem.workshop.chaos.load;

import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.outside.Reply;
import java.util.LinkedHashSet;
import java.util.Set;

/** What a client was told about one key. Thread-safe. */
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

    /** Which lane. */
    public Lane lane() {
        return lane;
    }

    /** The key. */
    public String key() {
        return key;
    }

    /** Whether a client was told that its request is taken care of. */
    public synchronized boolean accepted() {
        return !answers.isEmpty();
    }

    /** Different answers to requests that were accepted: one, if all is well. */
    public synchronized int differentAnswers() {
        return answers.size();
    }

    /** How often it was posted. */
    public synchronized int posts() {
        return posts;
    }
}
