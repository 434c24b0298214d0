package io.idem.workshop.chaos.fault;

import io.idem.workshop.chaos.load.Load;
import io.idem.workshop.chaos.stage.Stage;
import java.util.List;
import java.util.Random;

/**
 * What a fault has at hand.
 *
 * @param stage to be hurt
 * @param load that runs meanwhile
 * @param random source of every choice
 * @param seed of the run
 * @param number how many of its class came before
 */
public record Blow(Stage stage, Load load, Random random, long seed, int number) {

    /** The next one of them, in a random order in which each comes once before any comes again. */
    <T> T next(List<T> choices) {
        return Deck.card(choices, seed, number);
    }

    /** A duration between two bounds, in milliseconds. */
    long millis(long from, long to) {
        return random.nextLong(from, to);
    }

    /** One of them. */
    @SafeVarargs
    final <T> T one(T... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
