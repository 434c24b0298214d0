package io.idem.workshop.chaos.load;

import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.outside.Reply;

/** The way by which clients hand over their messages. Thread-safe. */
public interface Entrance extends AutoCloseable {

    /**
     * Posts the message of a key once.
     *
     * @throws RuntimeException if whether it was accepted is unknown
     */
    Reply post(Lane lane, String key);

    @Override
    default void close() {}
}
