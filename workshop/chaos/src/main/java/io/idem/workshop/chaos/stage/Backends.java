package io.idem.workshop.chaos.stage;

import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.PostgresServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningServer;
import io.idem.servers.ServerOptions;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.chaos.load.Entrance;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.outside.LedgerProbe;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The brokers and the database of a run, shared by all its stages. Thread-safe. */
public final class Backends implements AutoCloseable {

    /** Time without a heartbeat after which Kafka gives a worker's partitions to another one. */
    public static final Duration KAFKA_SESSION = Duration.ofSeconds(3);

    private final RunningAmqp amqp;
    private final RunningKafka kafka;
    private final RunningPostgres postgres;
    private final TcpProxy amqpProxy;
    private final TcpProxy kafkaProxy;
    private final TcpProxy postgresProxy;
    private final RabbitTopology rabbitTopology;
    private final KafkaTopology kafkaTopology;
    private final LedgerProbe ledger;
    private final PlantedRows plantedRows;

    /**
     * Starts the servers and declares queues, topics and tables.
     *
     * @param deliveryLimit delivery limit of RabbitMQ's queues
     */
    public Backends(int deliveryLimit) {
        var postgresStarts = CompletableFuture.supplyAsync(() -> PostgresServers.start(ServerOptions.own()));
        CompletableFuture<TcpProxy> kafkaDoor = new CompletableFuture<>();
        var kafkaStarts = CompletableFuture.supplyAsync(() -> KafkaServers.startBehind(
                ServerOptions.own().with("group.min.session.timeout.ms", Long.toString(KAFKA_SESSION.toMillis())),
                port -> proxied(port, kafkaDoor)));
        amqp = AmqpServers.start(ServerOptions.any());
        amqpProxy = TcpProxy.to(amqp.host(), amqp.port());
        rabbitTopology = new RabbitTopology(amqp, deliveryLimit);
        rabbitTopology.declare();
        kafka = kafkaStarts.join();
        kafkaProxy = kafkaDoor.join();
        kafkaTopology = new KafkaTopology(kafka.bootstrapServers());
        kafkaTopology.declare();
        postgres = postgresStarts.join();
        postgresProxy =
                TcpProxy.to(postgresAddress().getHost(), postgresAddress().getPort());
        ledger = new LedgerProbe(postgres.jdbcUrl(), postgres.user(), postgres.password());
        plantedRows = new PlantedRows(ledger);
        createTables();
    }

    private URI postgresAddress() {
        return URI.create(postgres.jdbcUrl().substring("jdbc:".length()));
    }

    /** Returns the settings by which workers whose store is the database reach it through its proxy. */
    Map<String, String> proxiedDatabase() {
        // Without prepared statements every commit has its text on the wire, by which it is found.
        return Map.of(
                "spring.datasource.url",
                "jdbc:postgresql://" + postgresProxy.host() + ":" + postgresProxy.port()
                        + postgresAddress().getPath() + "?prepareThreshold=0");
    }

    private static String proxied(int port, CompletableFuture<TcpProxy> door) {
        TcpProxy proxy = TcpProxy.to("127.0.0.1", port);
        door.complete(proxy);
        return proxy.host() + ":" + proxy.port();
    }

    private void createTables() {
        ledger.execute(
                "CREATE TABLE " + Names.LEDGER + " (id bigint GENERATED ALWAYS AS IDENTITY,"
                        + " written_at timestamptz NOT NULL DEFAULT clock_timestamp(), lane text NOT NULL,"
                        + " idempotency_key text NOT NULL, attempt integer NOT NULL, fence bigint NOT NULL, pid bigint NOT NULL)");
        ledger.execute("CREATE INDEX ON " + Names.LEDGER + " (idempotency_key)");
        ledger.execute("CREATE INDEX ON " + Names.LEDGER + " (written_at)");
        ledger.execute("CREATE TABLE " + Names.STEPS + " (id bigint GENERATED ALWAYS AS IDENTITY, lane text NOT NULL,"
                + " idempotency_key text NOT NULL, step text NOT NULL, what text NOT NULL, provider_key text NOT NULL,"
                + " fence bigint NOT NULL, receipt bigint NOT NULL)");
        ledger.execute("CREATE INDEX ON " + Names.STEPS + " (idempotency_key)");
        ledger.execute("CREATE INDEX ON " + Names.STEPS + " (provider_key)");
        ledger.execute("CREATE SCHEMA " + Names.SECOND_TENANT);
        ledger.execute("CREATE TABLE " + Names.CURED + " (idempotency_key text NOT NULL)");
    }

    Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("spring.rabbitmq.host", amqpProxy.host());
        settings.put("spring.rabbitmq.port", Integer.toString(amqpProxy.port()));
        settings.put("spring.rabbitmq.username", amqp.username());
        settings.put("spring.rabbitmq.password", amqp.password());
        settings.put("spring.rabbitmq.virtual-host", amqp.virtualHost());
        settings.put("spring.kafka.bootstrap-servers", kafkaProxy.host() + ":" + kafkaProxy.port());
        settings.put("spring.datasource.url", postgres.jdbcUrl());
        settings.put("spring.datasource.username", postgres.user());
        settings.put("spring.datasource.password", postgres.password());
        return settings;
    }

    public RunningAmqp amqp() {
        return amqp;
    }

    /** Returns the proxy between all applications and the AMQP broker. */
    public TcpProxy amqpProxy() {
        return amqpProxy;
    }

    /** Returns the proxy between all applications and Kafka. */
    public TcpProxy kafkaProxy() {
        return kafkaProxy;
    }

    /** Returns the proxy between workers whose store is the database, and the database. */
    public TcpProxy postgresProxy() {
        return postgresProxy;
    }

    /** Returns the database of the run, which faults may kill and start. */
    public RunningPostgres postgres() {
        return postgres;
    }

    /** Returns the clients that publish to the brokers without an intake. */
    Entrance entrance() {
        return new BrokerEntrance(amqp, kafka.bootstrapServers());
    }

    /** Returns the Kafka of the run, which faults may kill and start. */
    public RunningKafka kafka() {
        return kafka;
    }

    /** Returns the exchanges and queues. */
    public RabbitTopology rabbit() {
        return rabbitTopology;
    }

    /** Returns the topics and groups. */
    public KafkaTopology topics() {
        return kafkaTopology;
    }

    /** Returns the reader of the database. */
    public LedgerProbe ledger() {
        return ledger;
    }

    /** Returns the rows that may be left for the relay of the workers. */
    public PlantedRows plantedRows() {
        return plantedRows;
    }

    /** Returns the versions of the servers, for the report. */
    public List<String> versions() {
        return List.of(
                amqp.toString(),
                kafka.toString() + ", client " + org.apache.kafka.common.utils.AppInfoParser.getVersion(),
                ledger.select("SELECT version()").get(0),
                System.getProperty("java.vm.name") + " " + Runtime.version());
    }

    @Override
    public void close() {
        ledger.close();
        kafkaTopology.close();
        amqpProxy.close();
        kafkaProxy.close();
        postgresProxy.close();
        List.<RunningServer>of(amqp, kafka, postgres).parallelStream().forEach(RunningServer::close);
    }
}
