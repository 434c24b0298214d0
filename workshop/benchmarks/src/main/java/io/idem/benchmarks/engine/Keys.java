package io.idem.benchmarks.engine;

import java.util.UUID;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Keys that were not used before; one series for each thread. */
@State(Scope.Thread)
public class Keys {

    private final String series = UUID.randomUUID().toString();
    private long count;

    /** Returns the next key, which has a realistic length. */
    public String next() {
        return series + Long.toString(count++, Character.MAX_RADIX);
    }
}
