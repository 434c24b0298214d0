package io.idem.demo.supervisor;

import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.demo.comparison.ComparisonQueues;
import io.idem.demo.report.InboxCost;
import io.idem.demo.watch.WorkerEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Measures the cost of the inbox: one process takes the same messages in both modes, in turns, after warming up. */
final class InboxComparison {

    private static final int WARM_UP_ROUNDS = 2;
    private static final int ROUNDS = 4;
    private static final int MESSAGES = 250;
    private static final Duration ROUND_WITHIN = Duration.ofMinutes(1);

    private final Workers workers;
    private final AmqpQueues amqp;
    private final String run;
    private int rounds;

    InboxComparison(Workers workers, AmqpQueues amqp, String run) {
        this.workers = workers;
        this.amqp = amqp;
        this.run = run;
    }

    InboxCost measure() throws InterruptedException {
        workers.comparison().start();
        workers.awaitReady();
        RoundTimes with = new RoundTimes(ComparisonQueues.WITH_INBOX);
        RoundTimes without = new RoundTimes(ComparisonQueues.REDIS_ALONE);
        for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
            // In turns, and each mode goes first as often as the other.
            boolean counts = round >= WARM_UP_ROUNDS;
            for (RoundTimes times : round % 2 == 0 ? List.of(with, without) : List.of(without, with)) {
                List<WorkerEvent> seen = round(times.scope());
                if (counts) {
                    times.add(seen);
                }
            }
        }
        return new InboxCost(ROUNDS * MESSAGES, with.mode(), without.mode());
    }

    private List<WorkerEvent> round(String queue) throws InterruptedException {
        String name = "%s-comparison-%d".formatted(run, rounds++);
        List<IdempotencyKey> keys = IntStream.range(0, MESSAGES)
                .mapToObj(index -> new IdempotencyKey("north", name + "-" + index))
                .toList();
        Set<String> ids = new HashSet<>(keys.stream().map(IdempotencyKey::id).toList());
        keys.forEach(key -> amqp.publish("", queue, headers(key), "{}".getBytes(StandardCharsets.UTF_8)));
        if (!Poll.until(ROUND_WITHIN, () -> settled(ids) == MESSAGES)) {
            throw new IllegalStateException(
                    "Only " + settled(ids) + " of " + MESSAGES + " messages on " + queue + " were settled within "
                            + ROUND_WITHIN + "; see " + workers.comparison().log());
        }
        return of(ids);
    }

    private static Map<String, Object> headers(IdempotencyKey key) {
        return Map.of(IdempotencyHeaders.KEY, key.value(), IdempotencyHeaders.TENANT, key.tenant());
    }

    private long settled(Set<String> ids) {
        return of(ids).stream()
                .filter(event -> event.what() == WorkerEvent.What.SETTLED)
                .count();
    }

    private List<WorkerEvent> of(Set<String> ids) {
        return workers.events().all().stream()
                .filter(event -> ids.contains(event.key()))
                .toList();
    }
}
