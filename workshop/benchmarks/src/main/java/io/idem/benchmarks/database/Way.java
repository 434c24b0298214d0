package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;

/** A way to handle messages once. Not thread-safe. */
interface Way extends AutoCloseable {

    /** Does what must happen before a slice and does not count, such as making the messages that it handles. */
    default void prepare() throws Exception {}

    /**
     * Handles new messages under random keys. Blocks until the deadline, and longer if messages have to arrive
     * somewhere first.
     *
     * @param deadline the end, in the nanoseconds of {@link System#nanoTime}
     */
    void run(long deadline) throws Exception;

    /** Returns the number of messages that were handled completely so far. */
    long handled();

    /** Ends what would go on after a slice; does not count. */
    default void settle() throws Exception {}

    /** Stops for good what goes on beside messages and would be counted with them. */
    default void stopBackground() {}

    /** Returns the pools of connections to the way's own database, which are counted; empty if it has no database. */
    List<HikariDataSource> pools();

    @Override
    void close();
}
