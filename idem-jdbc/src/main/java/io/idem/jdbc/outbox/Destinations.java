package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.internal.DaemonThreads;
import io.idem.internal.OutgoingTransports;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * Hands messages over to their transports, and remembers the destinations that did not take one: each is doubted until it confirms a
 * message. One that does not answer, or refuses a message that is sent by itself, is left alone for some seconds. Thread-safe.
 */
final class Destinations {

    /** The number of threads for each transport: others do not wait where all of them hang. */
    private static final int THREADS = 8;

    /** The number of destinations that are remembered: some applications have one for each message. */
    private static final int MOST = 10_000;

    private final OutgoingTransports transports;
    private final long limit;
    private final long patience;
    private final Map<String, Doubt> doubts = new ConcurrentHashMap<>();
    private final Map<String, Executor> threads = new ConcurrentHashMap<>();

    /**
     * Creates destinations of which none is doubted.
     *
     * @param limit the longest time in which a transport takes a message over, and for the answer to one that is sent by
     *     itself
     * @param patience the longest time for all that is sent together, and again for what is sent one by one; also the
     *     time for which a destination is left alone
     */
    Destinations(OutgoingTransports transports, Duration limit, Duration patience) {
        this.transports = transports;
        this.limit = limit.toNanos();
        this.patience = patience.toNanos();
    }

    /** @param until the moment of {@link System#nanoTime} from which the destination is tried again, once the hand-over has ended */
    private record Doubt(long until, Future<?> handOver) {}

    boolean doubts(RelayedRow row) {
        return row.destinations().anyMatch(doubts::containsKey);
    }

    boolean leavesAlone(RelayedRow row) {
        return row.destinations()
                .flatMap(destination -> Stream.ofNullable(doubts.get(destination)))
                .anyMatch(doubt -> !doubt.handOver().isDone() || System.nanoTime() - doubt.until() < 0);
    }

    /**
     * Publishes the messages of rows and waits for their confirmations: first together, then one by one those to destinations that are
     * doubted, since a broker that refuses a message may refuse others with it that are on their way.
     *
     * @return the rows that were tried; a row that is missing has a destination that is left alone, or no time was left
     */
    List<RowTry> send(List<RelayedRow> rows) {
        List<RowTry> tries = new ArrayList<>();
        List<RelayedRow> others = new ArrayList<>();
        long end = System.nanoTime() + patience;
        for (RelayedRow row : rows) {
            long left = end - System.nanoTime();
            if (left > 0 && !doubts(row)) {
                tries.add(begin(row, left, false));
            } else {
                others.add(row);
            }
        }
        tries.forEach(RowTry::failure);
        long last = System.nanoTime() + patience;
        for (RelayedRow row : others) {
            if (System.nanoTime() - last < 0 && !leavesAlone(row)) {
                RowTry alone = begin(row, limit, true);
                tries.add(alone);
                var unused = alone.failure();
            }
        }
        return tries;
    }

    /**
     * Begins to send the messages of a row.
     *
     * @param time the longest one for the answer, in nanoseconds
     * @param alone whether no other message is on its way, so that a refusal is about this row
     */
    private RowTry begin(RelayedRow row, long time, boolean alone) {
        CompletableFuture<?> confirmation = row.messages().isEmpty()
                ? CompletableFuture.failedFuture(
                        new IllegalStateException("Its messages are cut short, or made by a later version of idem"))
                : CompletableFuture.allOf(row.messages().stream()
                        .map(message -> publish(message, time, alone))
                        .toArray(CompletableFuture<?>[]::new));
        return new RowTry(
                row,
                alone,
                confirmation,
                confirmation.copy().orTimeout(leavesAlone(row) ? 0 : time, TimeUnit.NANOSECONDS));
    }

    /** Hands a message over on another thread, and waits for that no longer than the limit. */
    private CompletableFuture<?> publish(OutgoingMessage message, long time, boolean alone) {
        String destination = RelayedRow.destination(message);
        long begun = System.nanoTime();
        CompletableFuture<CompletionStage<?>> handOver = handOver(message);
        boolean taken = handOver.handle((stage, failure) -> true)
                .completeOnTimeout(false, limit, TimeUnit.NANOSECONDS)
                .join();
        boolean leave = alone || System.nanoTime() - begun > limit / 2;
        if (!taken) {
            doubt(destination, true, handOver);
        }
        CompletableFuture<?> confirmation = handOver.thenCompose(stage -> stage.thenApply(confirmed -> message))
                .whenComplete((confirmed, failure) -> {
                    if (failure == null) {
                        doubts.remove(destination);
                    } else {
                        doubt(destination, leave, handOver);
                    }
                });
        var unused = confirmation.copy().orTimeout(time, TimeUnit.NANOSECONDS).whenComplete((confirmed, failure) -> {
            if (failure instanceof TimeoutException) {
                doubt(destination, true, handOver);
            }
        });
        return confirmation;
    }

    private CompletableFuture<CompletionStage<?>> handOver(OutgoingMessage message) {
        try {
            return CompletableFuture.supplyAsync(
                    () -> transports.publish(message),
                    threads.computeIfAbsent(
                            message.transport(), name -> DaemonThreads.atMost(THREADS, "idem-outbox-to-" + name)));
        } catch (RejectedExecutionException allHang) {
            return CompletableFuture.failedFuture(allHang);
        }
    }

    private void doubt(String destination, boolean leave, Future<?> handOver) {
        if (doubts.size() >= MOST) {
            doubts.clear();
        }
        doubts.put(destination, new Doubt(System.nanoTime() + (leave ? patience : 0), handOver));
    }
}
