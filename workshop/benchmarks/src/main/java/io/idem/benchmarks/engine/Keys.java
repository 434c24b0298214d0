package io.idem.benchmarks.engine;

import java.util.UUID;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** Keys that nobody has used yet; one series for each thread. */
@State(Scope.Thread)
public class Keys {

    private final String series = UUID.randomUUID().toString();
    private long count;

    /** The next key, as long as keys in use are. */
    public String next() {
        return series + Long.toString(count++, Character.MAX_RADIX);
    }
}
