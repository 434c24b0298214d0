package io.idem.applications.mutation;

import static org.awaitility.Awaitility.await;

import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionTimeoutException;

/**
 * Tells one application an order whose work fails three times, the same order again, and another one, and judges by the runs of the work and by
 * what the broker has.
 */
final class Story {

    /** After it, an order that a consumer still holds is one that stays there. */
    private static final Duration WHILE = Duration.ofSeconds(15);

    /** After it, an application whose order comes again and again is one that hangs. */
    private static final Duration PATIENCE = Duration.ofSeconds(45);

    private static final Duration MOMENT = Duration.ofMillis(20);
    private static final String FAILING = "failing order";

    /** Each failure doubles the time until the next run: the first is waited for in place, others are not. */
    private static final int LAST_RUN = 4;

    private static final String EVENT = FAILING + ", run " + LAST_RUN;
    private static final String OTHER = "other order";

    private final Transport transport;
    private final Line line;
    private final WorkTable work;
    private final Queue<String> runs = new ConcurrentLinkedQueue<>();
    private String stopped = "";

    private Story(Transport transport, Line line, WorkTable work) {
        this.transport = transport;
        this.line = line;
        this.work = work;
    }

    static Verdict of(Transport transport, MutatedLoader loader) throws Exception {
        String name = "mutation-" + UUID.randomUUID();
        try (Line line = line(transport, name);
                WorkTable work = new WorkTable(name)) {
            return new Story(transport, line, work).tell(loader, name);
        }
    }

    private static Line line(Transport transport, String name) throws Exception {
        return switch (transport) {
            case RABBITMQ, STREAM_RABBITMQ -> new RabbitLine(name);
            case KAFKA, STREAM_KAFKA -> new KafkaLine(name);
            case HTTP -> new WebLine(name);
        };
    }

    private Map<String, Object> settings(String name) {
        Map<String, Object> settings = new TreeMap<>(line.settings());
        RunningPostgres postgres = SharedServers.postgres();
        settings.put("shop.name", name);
        settings.put("spring.main.banner-mode", "off");
        settings.put("spring.application.name", name);
        settings.put("spring.datasource.url", postgres.jdbcUrl());
        settings.put("spring.datasource.username", postgres.user());
        settings.put("spring.datasource.password", postgres.password());
        settings.put("spring.datasource.hikari.maximum-pool-size", 3);
        settings.put("spring.datasource.hikari.minimum-idle", 1);
        settings.put("idem.store", "inbox");
        settings.put("idem.jdbc.initialize-schema", "always");
        settings.put("idem.max-attempts", 50);
        settings.put("idem.backoff.first", "80ms");
        settings.put("idem.backoff.longest", "400ms");
        settings.put("idem.consumer.in-place-wait", "100ms");
        settings.put("idem.consumer.kafka.redelivery-delay", "50ms");
        if (transport == Transport.STREAM_RABBITMQ || transport == Transport.STREAM_KAFKA) {
            String binder = transport == Transport.STREAM_KAFKA ? "kafka" : "rabbit";
            String consumer = "spring.cloud.stream.rabbit.bindings.place-in-0.consumer.";
            settings.put("spring.cloud.function.definition", "place");
            settings.put("spring.cloud.stream.default-binder", binder);
            settings.put("spring.cloud.stream.bindings.place-in-0.destination", name);
            settings.put("spring.cloud.stream.bindings.place-in-0.group", name);
            if (transport == Transport.STREAM_RABBITMQ) {
                settings.put(consumer + "queue-name-group-only", true);
                settings.put(consumer + "bind-queue", false);
                settings.put(consumer + "declare-exchange", false);
            } else {
                settings.put("spring.cloud.stream.kafka.binder.brokers", "${spring.kafka.bootstrap-servers}");
            }
        }
        return settings;
    }

    private Verdict tell(MutatedLoader loader, String name) throws Exception {
        Class<?> type = loader.loadClass(MutatedLoader.APPLICATION.replace('/', '.') + "RunningShop");
        AutoCloseable shop;
        Thread.currentThread().setContextClassLoader(loader);
        try {
            shop = (AutoCloseable)
                    Objects.requireNonNull(type.getMethod("start", String.class, Map.class, String.class, Queue.class)
                            .invoke(null, transport.name(), settings(name), work.table(), runs));
        } catch (InvocationTargetException failed) {
            return Verdict.refused(Objects.requireNonNull(failed.getCause()), loader.mutation());
        } finally {
            Thread.currentThread().setContextClassLoader(Story.class.getClassLoader());
        }
        boolean ended;
        try (shop) {
            line.started((String) type.getMethod("port").invoke(shop));
            ended = sendAll((Callable<?>) shop);
        }
        return ended ? done() : given();
    }

    /** Returns whether the last order came to its event, by which those before it have come to theirs. */
    private boolean sendAll(Callable<?> shop) throws Exception {
        String key = UUID.randomUUID().toString();
        line.send(key, FAILING);
        if (!awaited(shop, () -> runs(FAILING) >= LAST_RUN)) {
            return false;
        }
        line.send(key, FAILING);
        line.send(UUID.randomUUID().toString(), OTHER);
        return awaited(shop, () -> events(OTHER + ", run 1") > 0);
    }

    private boolean awaited(Callable<?> shop, BooleanSupplier condition) throws Exception {
        Callable<Boolean> ended = () -> condition.getAsBoolean() || hasStopped(shop);
        if (!awaited(WHILE, ended) && line.isHeld()) {
            stopped = "its consumer holds the message";
        } else if (stopped.isEmpty()) {
            awaited(PATIENCE, ended);
        }
        return condition.getAsBoolean();
    }

    private static boolean awaited(Duration longest, Callable<Boolean> condition) {
        try {
            await().atMost(longest)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(MOMENT)
                    .until(condition);
            return true;
        } catch (ConditionTimeoutException not) {
            return false;
        }
    }

    private boolean hasStopped(Callable<?> shop) throws Exception {
        boolean refused = line instanceof WebLine web && web.isRefused();
        stopped = refused ? "the client is answered with a failure" : (String) shop.call();
        return !stopped.isEmpty();
    }

    private int runs(String order) {
        return Collections.frequency(runs, order);
    }

    private int events(String event) {
        try {
            return Collections.frequency(line.events(), event);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private String facts() throws Exception {
        return "runs: " + counted(runs) + "; done: " + counted(work.done()) + "; events: " + counted(line.events());
    }

    private static String counted(Collection<String> all) {
        return all.isEmpty()
                ? "none"
                : all.stream()
                        .collect(Collectors.groupingBy(one -> one, TreeMap::new, Collectors.counting()))
                        .entrySet()
                        .stream()
                        .map(one -> one.getKey() + (one.getValue() == 1 ? "" : " × " + one.getValue()))
                        .collect(Collectors.joining(", "));
    }

    /** Whether no order was done twice and no event of failed work has left. Those of done work may be sent again. */
    private boolean isSafe() throws Exception {
        List<String> done = work.done();
        return done.stream()
                                .map(one -> one.substring(0, one.indexOf(',')))
                                .distinct()
                                .count()
                        == done.size()
                && done.containsAll(line.events());
    }

    private Verdict done() throws Exception {
        boolean complete =
                runs(FAILING) == LAST_RUN && runs(OTHER) == 1 && work.done().size() == 2;
        return isSafe() && complete && events(EVENT) > 0
                ? new Verdict(Outcome.PROTECTED, "")
                : new Verdict(Outcome.SILENT, facts());
    }

    /** The broker gets back what the application has not acknowledged a moment after its end. */
    private Verdict given() throws Exception {
        boolean kept = awaited(WHILE, line::keepsAnOrder);
        if (!isSafe() || !kept) {
            return new Verdict(Outcome.SILENT, facts() + (kept ? "" : ", message lost"));
        }
        return stopped.isEmpty()
                ? new Verdict(Outcome.HANGING, facts())
                : new Verdict(Outcome.STOPPED, stopped + ": " + facts());
    }
}
