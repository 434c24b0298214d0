package io.idem.applications.story;

import java.util.Map;

/** The queue, topic or HTTP sender of an application, seen from outside. */
public interface Site extends AutoCloseable {

    /** Returns the name, which is {@code shop.queue} in the application; related queues and topics begin with it. */
    String name();

    /** Returns the settings with which the application finds it. */
    default Map<String, String> settings() {
        return Map.of("shop.queue", name());
    }

    /** Publishes a message; returns when the broker has it, or when the sender will send it. */
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
