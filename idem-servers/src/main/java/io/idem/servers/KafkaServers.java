package io.idem.servers;

import io.idem.servers.kafka.KafkaMain;
import io.idem.servers.process.FreePorts;
import io.idem.servers.process.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Kafka.
 *
 * <p>Order of choice: {@code IDEM_KAFKA_BOOTSTRAP} ({@code host:port}, ...), a container, the embedded one: a real
 * single-node cluster of the version that Spring Boot manages.
 */
public final class KafkaServers {

    static final String BOOTSTRAP_SETTING = "IDEM_KAFKA_BOOTSTRAP";
    private static final int HEAP_MEGABYTES = 384;

    private KafkaServers() {}

    /**
     * Chooses one, starts it if it is not a given one, and returns when it accepts clients.
     *
     * <p>An own one keeps what it acknowledged from stop or kill to start in any case. Settings are those of
     * {@code server.properties}.
     */
    public static RunningKafka start(ServerOptions options) {
        Environment environment = Environment.ofThisProcess();
        Selection<RunningKafka> selection = new Selection<>("Kafka", BOOTSTRAP_SETTING, environment.allowedOrigins());
        if (!options.exclusive()) {
            selection.or(Origin.GIVEN, () -> given(environment)).or(Origin.CONTAINER, ContainerTier::kafka);
        }
        return selection
                .or(Origin.EMBEDDED, () -> Optional.of(embedded(options)))
                .choose();
    }

    static Optional<RunningKafka> given(Environment environment) {
        return environment
                .value(BOOTSTRAP_SETTING)
                .map(servers -> new RunningKafka(servers, Origin.GIVEN, ForeignLifecycle.leftAlone()));
    }

    private static RunningKafka embedded(ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("kafka");
        int port = FreePorts.next();
        Path properties = KafkaConfiguration.write(directory, port, FreePorts.next(), options);
        Lifecycle broker =
                new BrokerJvm("kafka", KafkaMain.class, directory, HEAP_MEGABYTES).lifecycle(properties.toString());
        broker.start();
        return new RunningKafka("127.0.0.1:" + port, Origin.EMBEDDED, broker);
    }
}
