package io.idem.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queue of renewals, ordered by the moment when they are due. Renewals that are almost due are taken with those that
 * are due, so that leases that began at about the same time are renewed together. Thread-safe; each is taken once.
 *
 * @param <T> type of the renewals
 */
final class RenewalQueue<T> {

    /** Divisor of the pause: a renewal may come earlier by that part of it. */
    private static final int EARLIER = 10;

    private final ConcurrentSkipListSet<Due<T>> byTime = new ConcurrentSkipListSet<>();
    private final AtomicLong numbers = new AtomicLong();

    /** Adds a renewal that is due at a moment of {@link System#nanoTime}, after a pause in nanoseconds. */
    Due<T> add(T what, long at, long pause) {
        Due<T> due = new Due<>(what, at, pause / EARLIER, numbers.incrementAndGet());
        byTime.add(due);
        return due;
    }

    /** Removes a renewal and returns whether it was in the queue. */
    boolean remove(Due<T> due) {
        return byTime.remove(due);
    }

    /** Takes the renewals that are due or almost due, the earliest first. */
    List<Due<T>> takeDue(long now) {
        List<Due<T>> taken = new ArrayList<>();
        for (Due<T> due : byTime) {
            if (due.at - due.early - now > 0) {
                break;
            }
            if (byTime.remove(due)) {
                taken.add(due);
            }
        }
        return taken;
    }

    /** Returns the moment when the earliest is due, if there is one. */
    OptionalLong next() {
        Iterator<Due<T>> all = byTime.iterator();
        return all.hasNext() ? OptionalLong.of(all.next().at) : OptionalLong.empty();
    }

    /**
     * An entry of the queue.
     *
     * @param early nanoseconds by which it may be taken before its moment
     * @param number tells apart entries of one moment
     */
    record Due<T>(T what, long at, long early, long number) implements Comparable<Due<T>> {

        /** Compares by the difference of the moments, because those of {@link System#nanoTime} may overflow. */
        @Override
        public int compareTo(Due<T> other) {
            int byTime = Long.compare(at - other.at, 0);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
