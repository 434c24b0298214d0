package io.idem.workshop.process;

import io.idem.servers.RedisServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningAmqp.Flavour;
import io.idem.servers.RunningKafka;
import io.idem.servers.RunningPostgres;
import io.idem.servers.RunningRedis;
import io.idem.servers.ServerOptions;
import io.idem.servers.SharedServers;
import io.idem.servers.proxy.TcpProxy;
import io.idem.workshop.child.IntakeMain;
import io.idem.workshop.child.WorkerMain;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.LedgerProbe;
import io.idem.workshop.outside.QueueProbe;
import io.idem.workshop.outside.RecordProbe;
import io.idem.workshop.outside.TopicProbe;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The servers and applications that all tests of this JVM share. The servers start together on first use, each
 * application when a test first asks for it; all end with the JVM. Tests use their own keys, run one after the other,
 * and leave everything running.
 */
public final class World {

    /** The scope of the intake. */
    public static final String INTAKE_SCOPE = "http.payment-intake";

    private final RunningRedis redis;
    private final RunningAmqp amqp;
    private final RunningKafka kafka;
    private final TcpProxy amqpProxy;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Team events;
    private Team payments;
    private Protection protection = Protection.INBOX;
    private @Nullable Application intake;
    private final LedgerProbe ledger;
    private final RecordProbe records;
    private final QueueProbe queues;
    private final TopicProbe topics;

    /** The protection of payments. */
    public enum Protection {
        /** Protection by Redis and a row in the transaction of the payment. */
        INBOX("payments"),
        /** Protection by Redis alone. */
        REDIS_ALONE("payments,no-inbox"),
        /** Protection by Redis; after the death of an owner, the ledger shows whether it had paid. */
        RECONCILED("payments,no-inbox", "reconcile"),
        /** Protection by Redis; after the death of an owner, a person decides. */
        REJECTED("payments,no-inbox", "reject");

        private final String profiles;
        private final String takeover;

        Protection(String profiles) {
            this(profiles, "rerun");
        }

        Protection(String profiles, String takeover) {
            this.profiles = profiles;
            this.takeover = takeover;
        }

        Map<String, String> with(Map<String, String> common) {
            Map<String, String> all = new LinkedHashMap<>(common);
            all.put("idem.scopes.payments.takeover", takeover);
            return all;
        }
    }

    private World() {
        var postgresStarts = CompletableFuture.supplyAsync(SharedServers::postgres);
        var amqpStarts = CompletableFuture.supplyAsync(SharedServers::amqp);
        var kafkaStarts = CompletableFuture.supplyAsync(SharedServers::kafka);
        // A Redis server of its own, because it is stopped and started again.
        redis = RedisServers.start(ServerOptions.own().keepingData());
        amqp = amqpStarts.join();
        kafka = kafkaStarts.join();
        amqpProxy = TcpProxy.to(amqp.host(), amqp.port());
        RunningPostgres postgres = postgresStarts.join();
        String jdbcUrl = freshSchema(postgres);
        describe(postgres, jdbcUrl);
        ClassArchive.ofThisModule().madeBy(WorkerMain.class, Team.settings("payments,payouts,receipts,risk", settings));
        payments = new Team("payments", protection.profiles, protection.with(settings));
        events = new Team("events", "payouts,receipts,risk", settings);
        ledger = new LedgerProbe(jdbcUrl, postgres.user(), postgres.password());
        records = new RecordProbe(redis.uri());
        queues = new QueueProbe(amqp.uri());
        topics = new TopicProbe(kafka.bootstrapServers());
    }

    /** Returns the only instance, which starts with the first call. */
    public static World shared() {
        return Shared.WORLD;
    }

    private static String freshSchema(RunningPostgres postgres) {
        String schema = "e2e_" + UUID.randomUUID().toString().replace("-", "");
        String url = postgres.jdbcUrl();
        try (Connection connection = DriverManager.getConnection(url, postgres.user(), postgres.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA " + schema);
        } catch (SQLException e) {
            throw new IllegalStateException("No schema of our own in " + postgres, e);
        }
        return url + (url.contains("?") ? "&" : "?") + "currentSchema=" + schema;
    }

    private void describe(RunningPostgres postgres, String jdbcUrl) {
        settings.put("spring.data.redis.url", redis.uri());
        settings.put("spring.rabbitmq.host", amqpProxy.host());
        settings.put("spring.rabbitmq.port", Integer.toString(amqpProxy.port()));
        settings.put("spring.rabbitmq.username", amqp.username());
        settings.put("spring.rabbitmq.password", amqp.password());
        settings.put("spring.rabbitmq.virtual-host", amqp.virtualHost());
        // The broker soon notices a stopped worker.
        settings.put("spring.rabbitmq.requested-heartbeat", "2s");
        settings.put("spring.kafka.bootstrap-servers", kafka.bootstrapServers());
        // The shortest timeout allowed by default, after which the partitions of a killed worker are reassigned.
        settings.put("spring.kafka.consumer.properties[session.timeout.ms]", "6000");
        settings.put("spring.kafka.consumer.heartbeat-interval", "500ms");
        settings.put("spring.datasource.url", jdbcUrl);
        settings.put("spring.datasource.username", postgres.user());
        settings.put("spring.datasource.password", postgres.password());
        settings.put("idem.lease", "2s");
        if (amqp.flavour() == Flavour.QPID) {
            settings.put("demo.amqp-dialect", "qpid");
        }
    }

    private Map<String, String> intakeSettings() {
        Map<String, String> all = new LinkedHashMap<>(settings);
        all.put("server.address", "127.0.0.1");
        all.put("server.port", "0");
        all.putAll(Tenant.intakeSettings());
        return all;
    }

    /** Returns a client of the intake. */
    public HttpProbe http() {
        return new HttpProbe(intake().awaitUp().http());
    }

    /** Returns the intake, which may not be up yet. */
    private synchronized Application intake() {
        if (intake == null) {
            intake = Application.start("intake", IntakeMain.class, intakeSettings());
        }
        return intake;
    }

    /** Returns the workers that take payments from RabbitMQ, under this protection. Starts the intake beside them. */
    public Team payments(Protection wanted) {
        intake();
        if (wanted != protection) {
            payments.close();
            protection = wanted;
            payments = new Team("payments-" + wanted, wanted.profiles, wanted.with(settings));
        }
        return payments.ready();
    }

    /** Returns the workers on Kafka: payouts, receipts, risk. Starts the intake beside them. */
    public Team events() {
        intake();
        return events.ready();
    }

    /** Returns the Redis server. Tests may stop, kill and start it, and leave it running. */
    public RunningRedis redis() {
        return redis;
    }

    /** Returns the proxy between all applications and the AMQP broker. */
    public TcpProxy amqpProxy() {
        return amqpProxy;
    }

    /** Returns the AMQP broker. */
    public RunningAmqp amqp() {
        return amqp;
    }

    /** Returns the settings with the addresses of the servers. */
    public Map<String, String> settings() {
        return Map.copyOf(settings);
    }

    /** Returns a client of the witness tables. */
    public LedgerProbe ledger() {
        return ledger;
    }

    /** Returns a client for raw records in Redis. */
    public RecordProbe records() {
        return records;
    }

    /** Returns a client of the AMQP broker that bypasses the proxy. */
    public QueueProbe queues() {
        return queues;
    }

    /** Returns a client of Kafka. */
    public TopicProbe topics() {
        return topics;
    }

    private static final class Shared {
        static final World WORLD = new World();
    }
}
