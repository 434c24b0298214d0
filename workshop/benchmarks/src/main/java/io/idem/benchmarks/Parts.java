package io.idem.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Measures the parts of a suite. A part that fails does not keep the others from being measured. Not thread-safe. */
public final class Parts {

    private final Random order;
    private final List<MeasurementException> failures = new ArrayList<>();

    /** Creates the parts of one round; {@code order} shuffles them. */
    public Parts(Random order) {
        this.order = order;
    }

    /** A part that is measured by itself. */
    public interface Part {

        /** Returns the name for reports of failures. */
        String name();
    }

    /** The measurement of a part. */
    @FunctionalInterface
    public interface Measurement<T> {

        void measure(T part) throws Exception;
    }

    /** Measures each part, in a random order. */
    public <T extends Part> Parts each(List<T> parts, Measurement<T> measurement) {
        List<T> shuffled = new ArrayList<>(parts);
        Collections.shuffle(shuffled, order);
        shuffled.forEach(part -> measure(part, measurement));
        return this;
    }

    /** Catches an {@link Error} too: a missing class or too little memory concerns this part only. */
    private <T extends Part> void measure(T part, Measurement<T> measurement) {
        try {
            measurement.measure(part);
        } catch (Exception | Error failed) {
            failures.add(new MeasurementException(part.name() + " could not be measured", failed));
        }
    }

    /** Throws an exception if a part failed. */
    public void end() throws MeasurementException {
        if (!failures.isEmpty()) {
            MeasurementException first = failures.get(0);
            failures.stream().skip(1).forEach(first::addSuppressed);
            throw first;
        }
    }
}
