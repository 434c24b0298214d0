package io.idem.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Measures what a suite is made of. What fails does not keep the others from being measured. Not thread-safe. */
public final class Parts {

    private final Random order;
    private final List<MeasurementException> failures = new ArrayList<>();

    /** Of one round; {@code order} decides who comes first. */
    public Parts(Random order) {
        this.order = order;
    }

    /** What is measured by itself. */
    public interface Part {

        /** How it is called if it fails. */
        String name();
    }

    /** How a part is measured. */
    @FunctionalInterface
    public interface Measurement<T> {

        /** Measures it. */
        void measure(T part) throws Exception;
    }

    /** Measures each of them. */
    public <T extends Part> Parts each(List<T> parts, Measurement<T> measurement) {
        List<T> shuffled = new ArrayList<>(parts);
        Collections.shuffle(shuffled, order);
        shuffled.forEach(part -> measure(part, measurement));
        return this;
    }

    /** An {@link Error} too stays the part's own affair: a class that is missing, memory that was not enough. */
    private <T extends Part> void measure(T part, Measurement<T> measurement) {
        try {
            measurement.measure(part);
        } catch (Exception | Error failed) {
            failures.add(new MeasurementException(part.name() + " could not be measured", failed));
        }
    }

    /** Throws if one of them failed. */
    public void end() throws MeasurementException {
        if (!failures.isEmpty()) {
            MeasurementException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
