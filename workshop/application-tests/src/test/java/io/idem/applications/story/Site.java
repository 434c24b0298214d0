package io.idem.applications.story;

import java.util.Map;

/** The queue or topic of one application, seen from outside. */
public interface Site extends AutoCloseable {

    /** Its name, which the application knows as {@code shop.queue}; what belongs to it has names that begin so. */
    String name();

    /** Publishes a message; returns when the broker has it. */
    void publish(String body, Map<String, String> headers);

    /** Messages that nobody has acknowledged. Exact when no consumer is connected; fewer where consumers have fetched some. */
    long unacknowledged();

    /** How many dead letters have that body. */
    long deadLetters(String body);

    /** Removes what belongs to the application. */
    @Override
    void close();
}
