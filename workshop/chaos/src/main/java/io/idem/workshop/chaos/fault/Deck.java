package io.idem.workshop.chaos.fault;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Deals cards in a random order, each once before any is repeated. Pure functions. */
final class Deck {

    private Deck() {}

    /** Returns the card with this number, counted from 0. */
    static <T> T card(List<T> cards, long seed, int number) {
        List<T> shuffled = new ArrayList<>(cards);
        Collections.shuffle(shuffled, new Random(seed + number / cards.size()));
        return shuffled.get(number % cards.size());
    }
}
