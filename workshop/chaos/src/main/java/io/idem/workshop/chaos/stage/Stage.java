package io.idem.workshop.chaos.stage;

import io.idem.workshop.chaos.load.Entrance;
import io.idem.workshop.chaos.worker.Flaw;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import io.idem.workshop.chaos.worker.StoreKind;
import io.idem.workshop.chaos.worker.TracedScripts;
import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.Reply;
import io.idem.workshop.process.Tenant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The targets of all faults: brokers, a database, workers, and a Redis with an intake unless the inbox is the store.
 * Thread-safe.
 */
public final class Stage implements AutoCloseable {

    /** Duration of a lease. */
    public static final Duration LEASE = Duration.ofSeconds(2);

    /** Heartbeat interval of AMQP clients. */
    public static final Duration RABBIT_HEARTBEAT = Duration.ofSeconds(2);

    private static final long REBALANCE = Duration.ofSeconds(20).toMillis();

    /** Name of the log of the store's answers, beside the log of grants. */
    public static final String STORIES = "stories.log";

    /** Name of the log of stalls of processes, beside the log of grants. */
    public static final String STALLS = "stalls.log";

    /** Name of the log of the returns that RabbitMQ counted, beside the log of grants. */
    public static final String RETURNS = "returns.log";

    private final Backends backends;
    private final RedisSide redis;
    private final StoreKind store;
    private final Optional<IntakeProcess> intake;
    private final Entrance entrance;
    private final Crew crew;

    /** Starts Redis and the applications; returns when all are up. Closing the stage does not close the backends. */
    public Stage(Backends backends, RedisSide redis, Path grants, Flaw flaw) {
        this(backends, redis, grants, flaw, Map.of());
    }

    /** Starts Redis and the applications with additional settings for all applications; returns when all are up. */
    public Stage(Backends backends, RedisSide redis, Path grants, Flaw flaw, Map<String, String> more) {
        this.backends = backends;
        this.redis = redis;
        this.store = redis instanceof RedisSide.None ? StoreKind.INBOX : StoreKind.REDIS;
        Map<String, String> common = common(grants);
        common.putAll(more);
        intake = store == StoreKind.INBOX
                ? Optional.empty()
                : Optional.of(new IntakeProcess(
                        flawed(intakeSettings(common), flaw.atIntake() ? flaw : Flaw.NONE),
                        scripts(Flaw.NONE, grants)));
        crew = new Crew(
                flawed(workerSettings(common), flaw.atIntake() ? Flaw.NONE : flaw),
                scripts(flaw, grants),
                scripts(Flaw.NONE, grants),
                store);
        crew.fill();
        entrance = intake.<Entrance>map(IntakeEntrance::new).orElseGet(backends::entrance);
        intake.ifPresent(IntakeProcess::up);
        crew.awaitAllUp();
    }

    /** Clients of the intake. */
    private record IntakeEntrance(HttpProbe http) implements Entrance {

        IntakeEntrance(IntakeProcess intake) {
            this(intake.http());
        }

        @Override
        public Reply post(Lane lane, String key) {
            return Tenant.NORTH.post(http, lane.path(), key, Names.BODY);
        }
    }

    private Map<String, String> common(Path grants) {
        Map<String, String> settings = new LinkedHashMap<>(backends.settings());
        settings.putAll(redis.settings());
        settings.put("idem.lease", LEASE.toSeconds() + "s");
        settings.put("spring.rabbitmq.publisher-confirm-type", "correlated");
        settings.put("spring.rabbitmq.publisher-returns", "true");
        // With a short heartbeat the broker soon notices a worker that is stopped.
        settings.put("spring.rabbitmq.requested-heartbeat", RABBIT_HEARTBEAT.toSeconds() + "s");
        settings.put("spring.main.lazy-initialization", "false");
        settings.put("logging.level.root", "warn");
        // Kafka's clients log how they reconnect, for the logs that are kept after a slow recovery.
        settings.put("logging.level.org.apache.kafka.clients.consumer.internals", "info");
        settings.put("logging.level.org.apache.kafka.clients.producer.internals", "info");
        settings.put(Names.GRANTS, grants.toString());
        settings.put(Names.STORIES, grants.resolveSibling(STORIES).toString());
        settings.put(Names.RETURNS, grants.resolveSibling(RETURNS).toString());
        settings.put(Names.STALLS, grants.resolveSibling(STALLS).toString());
        return settings;
    }

    private static Map<String, String> flawed(Map<String, String> settings, Flaw flaw) {
        settings.put(Names.FLAW, flaw.name());
        settings.putAll(flaw.settings());
        return settings;
    }

    private List<String> scripts(Flaw flaw, Path grants) {
        return store == StoreKind.INBOX ? List.of() : TracedScripts.write(flaw, grants.resolveSibling("."));
    }

    private Map<String, String> workerSettings(Map<String, String> common) {
        Map<String, String> settings = new LinkedHashMap<>(common);
        settings.put("spring.rabbitmq.listener.simple.concurrency", "2");
        settings.put("spring.rabbitmq.listener.simple.prefetch", "4");
        // A failure makes a dead letter at once, so a deferral that was mistaken for a failure would show.
        settings.put("spring.rabbitmq.listener.simple.default-requeue-rejected", "false");
        settings.put("spring.kafka.listener.ack-mode", "record");
        settings.put("spring.kafka.consumer.auto-offset-reset", "earliest");
        settings.put(
                "spring.kafka.consumer.value-deserializer",
                "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        settings.put(
                "spring.kafka.consumer.properties[session.timeout.ms]",
                Long.toString(Backends.KAFKA_SESSION.toMillis()));
        settings.put("spring.kafka.consumer.heartbeat-interval", "500ms");
        // A restarted Kafka waits this long for members of its groups that are gone.
        settings.put("spring.kafka.consumer.max-poll-interval", REBALANCE + "ms");
        settings.put("idem.jdbc.initialize-schema", "always");
        settings.put("idem.consumer.rabbit.dead-letter.exchange", Names.DEAD);
        settings.put("idem.consumer.kafka.dead-letter.topic-suffix", Names.DEAD_SUFFIX);
        if (store == StoreKind.INBOX) {
            settings.putAll(store.settings());
            settings.putAll(backends.proxiedDatabase());
            settings.put("idem.jdbc.outbox.scopes", Names.PLANTED);
            settings.put("idem.jdbc.outbox.relay-after", "1s");
            // Work that loses its database fails, and is to be tried again.
            settings.put("spring.rabbitmq.listener.simple.default-requeue-rejected", "true");
        }
        return settings;
    }

    private static Map<String, String> intakeSettings(Map<String, String> common) {
        Map<String, String> settings = new LinkedHashMap<>(common);
        settings.putAll(Tenant.intakeSettings());
        settings.put("server.address", "127.0.0.1");
        // The intake writes to no database, so an inbox would have nothing to commit with.
        settings.put("idem.jdbc.enabled", "false");
        int number = 0;
        for (Lane lane : StoreKind.REDIS.lanes()) {
            String route = "idem.gateway.routes[" + number++ + "].";
            settings.put(route + "path", lane.path());
            settings.put(route + (lane.rabbit() ? "routing-key" : "topic"), lane.id());
            if (lane.rabbit()) {
                settings.put(route + "exchange", Names.EXCHANGE);
            }
        }
        return settings;
    }

    public Backends backends() {
        return backends;
    }

    public RedisSide redis() {
        return redis;
    }

    /** Returns the Redis as a single server, for faults that need one. */
    public RedisSide.Single singleRedis() {
        return (RedisSide.Single) redis;
    }

    /** Returns the store of the workers, which determines the lanes. */
    public StoreKind store() {
        return store;
    }

    /** Returns the intake of workers whose store is Redis. */
    public IntakeProcess intake() {
        return intake.orElseThrow();
    }

    /** Returns the way by which clients hand over their messages. */
    public Entrance entrance() {
        return entrance;
    }

    public Crew crew() {
        return crew;
    }

    /** Returns the logs of Kafka, the intake and the workers that exist, by the names of their copies. */
    public Map<String, Path> logs() {
        Map<String, Path> logs = new LinkedHashMap<>();
        backends.kafka().log().ifPresent(log -> logs.put("kafka.log", log));
        Stream.concat(intake.map(IntakeProcess::current).stream(), crew.all().stream())
                .map(application -> application.process().log())
                .forEach(log -> logs.put(log.getFileName().toString(), log));
        return logs;
    }

    /** Undoes what faults may have left; returns when all applications are up. */
    public void heal() {
        intake.ifPresent(IntakeProcess::heal);
        crew.heal();
        crew.awaitAllUp();
    }

    /** Publishes copies of messages past the intake. */
    public void publish(Lane lane, List<String> keys, String body) {
        if (lane.rabbit()) {
            backends.rabbit().publish(lane, keys, body);
        } else {
            backends.topics().publish(lane, keys, body);
        }
    }

    /** Publishes copies of one message past the intake to several workers at once. */
    public void publishApart(Lane lane, String key, String body, int copies) {
        if (lane.rabbit()) {
            backends.rabbit().publish(lane, Collections.nCopies(copies, key), body);
        } else {
            backends.topics().publishApart(lane, key, body, copies);
        }
    }

    /** Ends the applications, after which Redis executes nothing more. */
    public void endApplications() {
        crew.close();
        entrance.close();
        intake.ifPresent(IntakeProcess::close);
    }

    @Override
    public void close() {
        endApplications();
        redis.close();
    }
}
