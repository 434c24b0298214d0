package io.idem.applications.mutation;

import java.util.List;
import java.util.Map;

/** The messages of one application on its broker: its orders, and the events that it sent. Seen by clients of the broker's own. */
interface Line extends AutoCloseable {

    /** Returns the settings by which an application finds it. */
    Map<String, Object> settings();

    /** Is told the port of the application's web server, if it has one. */
    default void started(String port) {}

    /** Sends an order under a key. */
    void send(String key, String order) throws Exception;

    /** Returns all events so far. */
    List<String> events() throws Exception;

    /** Returns whether a consumer of the application has an order and neither acknowledges it nor gives it back, while it runs. */
    default boolean isHeld() throws Exception {
        return false;
    }

    /** Returns whether the broker still has an order, after the application has ended. */
    boolean keepsAnOrder() throws Exception;

    @Override
    void close() throws Exception;
}
