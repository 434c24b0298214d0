package io.idem.examples;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** In a warehouse's place: ships what it is given, but fails once, at the first attempt to ship what is called {@code fails}. */
public final class Failing {

    private final Queue<String> shipped = new ConcurrentLinkedQueue<>();
    private final Queue<String> failed = new ConcurrentLinkedQueue<>();

    /** Ships an item, or throws. */
    public void ship(String item) {
        if (item.equals("fails") && failed.isEmpty()) {
            failed.add(item);
            throw new IllegalStateException("the first attempt fails");
        }
        shipped.add(item);
    }

    /** What was shipped so far, in this order. */
    public Queue<String> shipped() {
        return shipped;
    }

    /** What it failed to ship so far. */
    public Queue<String> failed() {
        return failed;
    }
}
