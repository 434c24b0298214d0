package io.idem.gateway.internal.handoff;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.DescribeClusterOptions;
import org.jspecify.annotations.Nullable;

/** Asks Kafka for its cluster, over a connection of its own that is made on first use. Thread-safe. */
public final class KafkaProbe implements Probe, AutoCloseable {

    private final Map<String, Object> settings = new HashMap<>();
    private final Duration timeout;
    private @Nullable Admin admin;

    /**
     * Creates a probe.
     *
     * @param producer the settings of a producer, which contain Kafka's address and the credentials
     * @param timeout the time after which Kafka counts as unreachable
     */
    public KafkaProbe(Map<String, Object> producer, Duration timeout) {
        int millis = Math.toIntExact(timeout.toMillis());
        producer.forEach((name, value) -> {
            if (AdminClientConfig.configNames().contains(name)) {
                settings.put(name, value);
            }
        });
        settings.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
        settings.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
        this.timeout = timeout;
    }

    @Override
    public void check() throws Exception {
        var unused = admin().describeCluster(
                        new DescribeClusterOptions().timeoutMs(Math.toIntExact(timeout.toMillis())))
                .clusterId()
                .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    }

    private synchronized Admin admin() {
        Admin open = admin;
        if (open == null) {
            open = Admin.create(settings);
            admin = open;
        }
        return open;
    }

    @Override
    public synchronized void close() {
        if (admin != null) {
            admin.close(Duration.ZERO);
            admin = null;
        }
    }
}
