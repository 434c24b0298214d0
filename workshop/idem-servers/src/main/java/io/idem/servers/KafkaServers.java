package io.idem.servers;

import io.idem.servers.kafka.KafkaMain;
import io.idem.servers.process.FreePorts;
import io.idem.servers.process.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Starts Kafka servers.
 *
 * <p>Order of choice: {@code IDEM_KAFKA_BOOTSTRAP} ({@code host:port}, ...), a container, the embedded one: a real
 * single-node cluster of the version that Spring Boot manages.
 */
public final class KafkaServers {

    static final String BOOTSTRAP_SETTING = "IDEM_KAFKA_BOOTSTRAP";
    private static final int HEAP_MEGABYTES = 384;

    private KafkaServers() {}

    /**
     * Chooses a server, starts it unless it is a given one, and returns when it accepts clients.
     *
     * <p>An own server always keeps acknowledged records from stop or kill to start. The settings are those of
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

    /**
     * Starts an own server whose clients connect through another address, such as that of a proxy. Kafka's clients
     * follow the address that the server advertises, whichever address they used first.
     *
     * @param door receives the port of the server and returns {@code host:port} for clients; called once, before the
     *     server runs
     * @return the server; {@link RunningKafka#bootstrapServers()} is its direct address
     */
    public static RunningKafka startBehind(ServerOptions options, IntFunction<String> door) {
        int port = FreePorts.next();
        int inner = FreePorts.next();
        int controller = FreePorts.next();
        return embedded(
                port,
                controller,
                options.with(
                                "listeners",
                                "PLAINTEXT://127.0.0.1:" + port + ",DOOR://127.0.0.1:" + inner
                                        + ",CONTROLLER://127.0.0.1:" + controller)
                        .with("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port + ",DOOR://" + door.apply(inner))
                        .with(
                                "listener.security.protocol.map",
                                "PLAINTEXT:PLAINTEXT,DOOR:PLAINTEXT,CONTROLLER:PLAINTEXT"));
    }

    static Optional<RunningKafka> given(Environment environment) {
        return environment
                .value(BOOTSTRAP_SETTING)
                .map(servers -> new RunningKafka(servers, Origin.GIVEN, ForeignLifecycle.leftAlone()));
    }

    private static RunningKafka embedded(ServerOptions options) {
        return embedded(FreePorts.next(), FreePorts.next(), options);
    }

    private static RunningKafka embedded(int port, int controllerPort, ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("kafka");
        Path properties = KafkaConfiguration.write(directory, port, controllerPort, options);
        BrokerJvm jvm = new BrokerJvm("kafka", KafkaMain.class, directory, HEAP_MEGABYTES);
        Lifecycle broker = jvm.lifecycle(properties.toString());
        broker.start();
        return new RunningKafka("127.0.0.1:" + port, Origin.EMBEDDED, broker, Optional.of(jvm.log()));
    }
}
