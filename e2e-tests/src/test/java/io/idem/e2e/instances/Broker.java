package io.idem.e2e.instances;

import io.idem.servers.proxy.TcpProxy;
import java.util.Map;

/** A queue or topic of a test's own at one broker. Instances reach it through a proxy, the test past it. */
public interface Broker extends AutoCloseable {

    /** The listener of an instance. */
    Class<?> listener();

    /** Settings that tell an instance where the broker is. */
    Map<String, Object> settings();

    /** Publishes a message; returns when it is confirmed. Called by one thread. */
    void publish(String key);

    /** Messages that nobody has acknowledged; on RabbitMQ without those that a consumer has. Not called while something is published. */
    long left();

    /** Between the instances and the broker. */
    TcpProxy proxy();

    @Override
    void close();
}
