package io.idem.servers;

import io.idem.servers.RunningAmqp.Flavour;
import io.idem.servers.process.FreePorts;
import io.idem.servers.process.RunDirectory;
import io.idem.servers.qpid.QpidMain;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Starts AMQP 0-9-1 brokers.
 *
 * <p>Order of choice: {@code IDEM_AMQP_URI} ({@code amqp://user:password@host:port/virtual-host}), a RabbitMQ 4
 * container, the embedded Apache Qpid Broker-J. Qpid speaks the same protocol, but has its own queue arguments: declare
 * through {@link io.idem.servers.qpid.QpidDeclarations} where {@link RunningAmqp#flavour()} says so.
 */
public final class AmqpServers {

    static final String URI_SETTING = "IDEM_AMQP_URI";
    private static final int HEAP_MEGABYTES = 256;

    private AmqpServers() {}

    /**
     * Chooses a broker, starts it unless it is a given one, and returns when it accepts clients.
     *
     * <p>An own broker is a Qpid that keeps everything in memory: stop and kill lose queues and messages. The settings
     * are its context variables.
     *
     * @throws IllegalArgumentException if the options ask it to keep data
     */
    public static RunningAmqp start(ServerOptions options) {
        if (options.exclusive()) {
            return embedded(options);
        }
        Environment environment = Environment.ofThisProcess();
        return realBrokers(environment)
                .or(Origin.EMBEDDED, () -> Optional.of(embedded(options)))
                .choose();
    }

    /**
     * Returns the RabbitMQ of this JVM, for tests of behaviour that only RabbitMQ has; empty if there is none. It is
     * the same broker as {@link SharedServers#amqp()}.
     */
    public static Optional<RunningAmqp> realRabbitMq() {
        return SharedServers.realRabbitMq();
    }

    /** Returns whether there is a RabbitMQ of the given version or a newer one. */
    public static boolean realRabbitMqAtLeast(int major, int minor) {
        return realRabbitMq().filter(broker -> broker.atLeast(major, minor)).isPresent();
    }

    static Optional<RunningAmqp> findRabbitMq() {
        return realBrokers(Environment.ofThisProcess())
                .chooseIfAny()
                .filter(broker -> broker.flavour() == Flavour.RABBITMQ);
    }

    private static Selection<RunningAmqp> realBrokers(Environment environment) {
        return new Selection<RunningAmqp>("AMQP broker", URI_SETTING, environment.allowedOrigins())
                .or(Origin.GIVEN, () -> given(environment))
                .or(Origin.CONTAINER, ContainerTier::rabbitMq);
    }

    static Optional<RunningAmqp> given(Environment environment) {
        return environment
                .value(URI_SETTING)
                .map(uri -> AmqpAddress.parse(uri, URI_SETTING))
                .map(address ->
                        new RunningAmqp(address, AmqpProduct.ask(address), Origin.GIVEN, ForeignLifecycle.leftAlone()));
    }

    private static RunningAmqp embedded(ServerOptions options) {
        if (options.durable()) {
            throw new IllegalArgumentException("The embedded AMQP broker cannot keep data: use a RabbitMQ for that");
        }
        Path directory = RunDirectory.ofThisJvm().newDirectory("qpid");
        AmqpAddress address = AmqpAddress.local(FreePorts.next());
        Lifecycle broker = new BrokerJvm("qpid", QpidMain.class, directory, HEAP_MEGABYTES)
                .lifecycle(arguments(address, directory, options));
        broker.start();
        return new RunningAmqp(address, AmqpProduct.ask(address), Origin.EMBEDDED, broker);
    }

    private static String[] arguments(AmqpAddress address, Path directory, ServerOptions options) {
        URL configuration = Objects.requireNonNull(QpidMain.class.getResource("broker.json"), "broker.json is missing");
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of(Integer.toString(address.port()), directory.toString(), configuration.toString()));
        // Qpid notices expired messages only in its housekeeping, every 30 s by default.
        arguments.add("virtualhost.housekeepingCheckPeriod=200");
        // A rejected message is dropped, as in RabbitMQ, even if the declaration of the queue was not translated.
        arguments.add("queue.maximumDeliveryAttempts=1");
        options.settings().forEach((name, value) -> arguments.add(name + "=" + value));
        return arguments.toArray(String[]::new);
    }
}
