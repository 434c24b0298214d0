package io.idem.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** The suites of each round, and the time that all rounds take on two idle cores. */
record Schedule(List<Suite> suites, int rounds) {

    private static final int START_SECONDS = 30;
    private static final double SECONDS_PER_MINUTE = 60;

    /** Returns the suites of a round in a random order; rounds count from 1. */
    List<Suite> round(int number, Random order) {
        List<Suite> shuffled = new ArrayList<>(of(number));
        Collections.shuffle(shuffled, order);
        return shuffled;
    }

    private List<Suite> of(int number) {
        return suites.stream().filter(suite -> number <= suite.enoughRounds()).toList();
    }

    /** Returns the duration of all rounds, without the start of servers. */
    int seconds() {
        return IntStream.rangeClosed(1, rounds)
                .flatMap(number -> of(number).stream().mapToInt(Suite::seconds))
                .sum();
    }

    /** Returns the duration with the start of servers, rounded up. */
    int minutes() {
        return (int) Math.ceil((START_SECONDS + seconds()) / SECONDS_PER_MINUTE);
    }
}
