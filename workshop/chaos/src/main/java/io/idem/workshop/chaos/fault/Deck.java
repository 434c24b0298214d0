package io.idem.workshop.chaos.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Cards that are dealt in a random order, each once before any comes again. Pure functions. */
final class Deck {

    private Deck() {}

    /** The card of that number, from 0. */
    static <T> T card(List<T> cards, long seed, int number) {
        List<T> shuffled = new ArrayList<>(cards);
        Collections.shuffle(shuffled, new Random(seed + number / cards.size()));
        return shuffled.get(number % cards.size());
    }
}
