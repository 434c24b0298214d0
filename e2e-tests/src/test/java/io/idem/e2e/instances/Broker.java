package io.idem.e2e.instances;

import io.idem.servers.proxy.TcpProxy;
import java.util.Map;

/** A queue or topic of a single test. Instances reach it through a proxy, the test reaches it directly. */
public interface Broker extends AutoCloseable {

    /** Returns the listener class of an instance. */
    Class<?> listener();

    /** Returns the settings with the address of the broker. */
    Map<String, Object> settings();

    /** Publishes a message; returns when it is confirmed. Called by one thread. */
    void publish(String key);

    /**
     * Returns the number of unacknowledged messages; on RabbitMQ without those that a consumer has. Not called while a
     * test publishes messages.
     */
    long left();

    /** Returns the proxy between the instances and the broker. */
    TcpProxy proxy();

    @Override
    void close();
}
