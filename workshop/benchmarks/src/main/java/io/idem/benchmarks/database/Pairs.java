package io.idem.benchmarks.database;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleBiFunction;

/**
 * Runs a way and its control in pairs of short slices. What disturbs the machine for longer than a pair disturbs both
 * sides, and which side comes first alternates. Not thread-safe.
 */
final class Pairs {

    private final PairPlan plan;
    private final CpuTime cpu;

    Pairs(PairPlan plan, CpuTime cpu) {
        this.plan = plan;
        this.cpu = cpu;
    }

    /** A slice of the control and the slice of the way beside it. */
    record Pair(Slice control, Slice way) {}

    /** Warms both sides up in turns, and returns the pairs after that. */
    List<Pair> measure(Way control, Way way) throws Exception {
        long rounds = Math.max(1, plan.warmUp().dividedBy(plan.slice()));
        for (int round = 0; round < rounds; round++) {
            pair(control, way, round);
        }
        List<Pair> pairs = new ArrayList<>();
        for (int number = 0; number < plan.pairs(); number++) {
            pairs.add(pair(control, way, number));
        }
        return pairs;
    }

    private Pair pair(Way control, Way way, int number) throws Exception {
        if (number % 2 == 0) {
            Slice first = slice(control);
            return new Pair(first, slice(way));
        }
        Slice first = slice(way);
        return new Pair(slice(control), first);
    }

    private Slice slice(Way way) throws Exception {
        way.prepare();
        try {
            return timed(way);
        } finally {
            way.settle();
        }
    }

    private Slice timed(Way way) throws Exception {
        long used = cpu.nanos();
        long start = System.nanoTime();
        long before = way.handled();
        way.run(start + plan.slice().toNanos());
        long nanos = System.nanoTime() - start;
        long messages = way.handled() - before;
        if (messages == 0) {
            throw new IllegalStateException(way.getClass().getSimpleName() + " handled no message within "
                    + plan.slice().toMillis() + " ms");
        }
        return new Slice(messages, nanos, cpu.nanos() - used);
    }

    /** Returns the quartiles of a ratio of the way to its control. */
    static Quartiles ratio(List<Pair> pairs, ToDoubleBiFunction<Slice, Slice> wayByControl) {
        return Quartiles.of(pairs.stream()
                .mapToDouble(pair -> wayByControl.applyAsDouble(pair.way(), pair.control()))
                .toArray());
    }
}
