package io.idem.engine;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is to be renewed, by the moment when it is due. What is almost due is taken with what is due, so that leases that began
 * at about the same time are renewed together. Thread-safe; nothing is taken twice.
 *
 * @param <T> what is renewed
 */
final class RenewalQueue<T> {

    /** A renewal may come earlier by this part of its pause. */
    private static final int EARLIER = 10;

    private final ConcurrentSkipListSet<Due<T>> byTime = new ConcurrentSkipListSet<>();
    private final AtomicLong numbers = new AtomicLong();

    /** Adds something that is due at a moment of {@link System#nanoTime}, after a pause in nanoseconds. */
    Due<T> add(T what, long at, long pause) {
        Due<T> due = new Due<>(what, at, pause / EARLIER, numbers.incrementAndGet());
        byTime.add(due);
        return due;
    }

    /** Whether it was still there. */
    boolean remove(Due<T> due) {
        return byTime.remove(due);
    }

    /** Takes what is due now or almost so, the earliest first. */
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

    /** When the earliest is due, if there is one. */
    OptionalLong next() {
        Iterator<Due<T>> all = byTime.iterator();
        return all.hasNext() ? OptionalLong.of(all.next().at) : OptionalLong.empty();
    }

    /**
     * Something in the queue.
     *
     * @param early nanoseconds by which it may be taken before its moment
     * @param number tells apart what is due at one moment
     */
    record Due<T>(T what, long at, long early, long number) implements Comparable<Due<T>> {

        /** Moments of {@link System#nanoTime} may overflow: only their difference means something. */
        @Override
        public int compareTo(Due<T> other) {
            int byTime = Long.compare(at - other.at, 0);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }
}
