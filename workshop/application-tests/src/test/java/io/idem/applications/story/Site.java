package io.idem.applications.story;

import java.util.Map;

/** The queue or topic of an application, seen from outside. */
public interface Site extends AutoCloseable {

    /** Returns the name, which is {@code shop.queue} in the application; related queues and topics begin with it. */
    String name();

    /** Publishes a message; returns when the broker has it. */
    void publish(String body, Map<String, String> headers);

    /**
     * Returns the number of unacknowledged messages, which is exact when no consumer is connected, and too low where
     * consumers have fetched messages.
     */
    long unacknowledged();

    /** Returns the number of dead letters with this body. */
    long deadLetters(String body);

    /** Removes everything that belongs to the application. */
    @Override
    void close();
}
