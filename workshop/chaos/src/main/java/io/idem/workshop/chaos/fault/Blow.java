package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.load.Load;
import io.idem.workshop.chaos.stage.Stage;
import java.util.List;
import java.util.Random;

/**
 * The context of a fault.
 *
 * @param stage stage in which the fault is injected
 * @param load load that runs meanwhile
 * @param random source of random choices
 * @param seed seed of the run
 * @param number number of earlier faults of the class
 */
public record Blow(Stage stage, Load load, Random random, long seed, int number) {

    /** Returns the next choice, in a random order in which every choice comes once before any is repeated. */
    <T> T next(List<T> choices) {
        return Deck.card(choices, seed, number);
    }

    /** Returns a random duration between two bounds, in milliseconds. */
    long millis(long from, long to) {
        return random.nextLong(from, to);
    }

    /** Returns a random choice. */
    @SafeVarargs
    final <T> T one(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
