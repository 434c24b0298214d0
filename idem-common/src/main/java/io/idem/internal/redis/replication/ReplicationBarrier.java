package io.idem.internal.redis.replication;

import io.idem.internal.redis.client.NoConnectionException;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.ScriptCall;
import io.idem.redis.RedisSettings;
import io.idem.redis.ReplicationSettings;
import io.idem.spi.Stages;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection to a server for scripts that replicas have to confirm. Scripts are sent in rounds: the scripts and the
 * question for confirmations travel in one flush, and the next round starts when all answers have arrived. A count thus
 * always belongs to writes of the same connection, and one question serves all scripts of a round. A broken connection
 * is not used again: its writes are unconfirmed. Thread-safe; does not block.
 */
final class ReplicationBarrier {

    private static final int MOST_CALLS = 128;

    /** The number of questions for confirmations, {@code WAIT} and {@code WAITAOF}. */
    private static final int QUESTIONS = 2;

    /** The number of commands of a call: its script, and {@code ASKING} before it. */
    private static final int MOST_COMMANDS_OF_A_CALL = 2;

    private final Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> dial;
    private final ReplicationSettings settings;
    private final Keys keys;
    private final Duration timeout;
    private final int queueSize;
    private final int mostCalls;
    private final Deque<Waiting> waiting = new ArrayDeque<>();
    private boolean underWay;
    private @Nullable CompletionStage<StatefulRedisConnection<byte[], byte[]>> connection;

    ReplicationBarrier(
            RedisSettings settings, Supplier<CompletionStage<StatefulRedisConnection<byte[], byte[]>>> dial) {
        this.dial = dial;
        this.settings = settings.replication();
        this.keys = new Keys(settings.namespace());
        this.timeout = settings.commandTimeout();
        this.queueSize = settings.requestQueueSize();
        // A flush that does not fit into the queue is refused as a whole, on every attempt.
        this.mostCalls = Math.min(MOST_CALLS, (queueSize - QUESTIONS) / MOST_COMMANDS_OF_A_CALL);
    }

    /**
     * Sends a call in the next round.
     *
     * @param asking whether the server is to answer for a slot that is still being migrated to it
     */
    CompletableFuture<Replicated> send(ScriptCall call, boolean asking) {
        Waiting next = new Waiting(call, call.command(keys), asking, System.nanoTime(), new CompletableFuture<>());
        if (mustStart(next)) {
            nextRound();
        }
        return next.answer();
    }

    /** Adds a call; returns whether no round is under way that is followed by one with the call. */
    private synchronized boolean mustStart(Waiting next) {
        if (waiting.size() >= queueSize) {
            next.fail(new NoConnectionException(
                    "too many calls wait for the replication barrier", new RedisException("full")));
            return false;
        }
        waiting.add(next);
        boolean idle = !underWay;
        underWay = true;
        return idle;
    }

    private void nextRound() {
        List<Waiting> round = taken();
        if (round.isEmpty()) {
            return;
        }
        Stages.whenComplete(connected(), (ready, failure) -> {
            if (failure == null) {
                run(ready, round);
            } else {
                forget();
                NoConnectionException why = new NoConnectionException(
                        "the replication barrier cannot connect: " + failure.getMessage(), failure);
                round.forEach(call -> call.fail(why));
                nextRound();
            }
        });
    }

    private List<Waiting> taken() {
        List<Waiting> round = new ArrayList<>();
        List<Waiting> expired = new ArrayList<>();
        synchronized (this) {
            for (Waiting call = waiting.poll(); call != null; call = waiting.poll()) {
                boolean inTime = System.nanoTime() - call.since() <= timeout.toNanos();
                (inTime ? round : expired).add(call);
                if (round.size() == mostCalls) {
                    break;
                }
            }
            underWay = !round.isEmpty();
        }
        expired.forEach(call -> call.fail(new NoConnectionException(
                "the replication barrier did not confirm it in time", new RedisException("late"))));
        return round;
    }

    /**
     * Connects, unless connected already. A client that was closed meanwhile throws; that must end the round, because all
     * later calls would wait behind it.
     */
    private synchronized CompletionStage<StatefulRedisConnection<byte[], byte[]>> connected() {
        CompletionStage<StatefulRedisConnection<byte[], byte[]>> current = connection;
        if (current == null) {
            current = Stages.started(dial);
            connection = current;
        }
        return current;
    }

    private void run(StatefulRedisConnection<byte[], byte[]> ready, List<Waiting> round) {
        List<AsyncCommand<byte[], byte[], ?>> flush = new ArrayList<>();
        for (Waiting sent : round) {
            if (sent.asking()) {
                flush.add(BarrierCommands.asking());
            }
            flush.add(sent.script());
        }
        AsyncCommand<byte[], byte[], Long> received = BarrierCommands.waitForReplicas(settings);
        AsyncCommand<byte[], byte[], List<Object>> synced = BarrierCommands.waitForDisks(settings);
        flush.add(received);
        if (settings.asksDisks()) {
            flush.add(synced);
        } else {
            synced.complete(List.of());
        }
        ready.dispatch(flush);
        Stages.whenComplete(Stages.all(flush), (done, never) -> {
            boolean told = !received.isCompletedExceptionally() && !synced.isCompletedExceptionally();
            if (!told || round.stream().anyMatch(Waiting::showsThatItIsOver)) {
                forget();
                var unused = ready.closeAsync();
            }
            ReplicaConfirmation confirmation =
                    told ? ReplicaConfirmation.of(received.join(), synced.join()) : ReplicaConfirmation.NONE;
            round.forEach(sent -> end(sent, confirmation));
            nextRound();
        });
    }

    private void end(Waiting sent, ReplicaConfirmation confirmation) {
        CompletableFuture<Replicated> answered = Stages.handle(
                sent.script(),
                replies -> new Replicated(sent.call().replies(replies).get(0), confirmation),
                failure -> {
                    throw RedisFailures.classified(sent.call(), failure);
                });
        Stages.whenComplete(
                answered,
                (replicated, failure) -> Optional.ofNullable(failure)
                        .flatMap(sent.call()::after)
                        .ifPresentOrElse(other -> requeue(sent, other), () -> Stages.copy(answered, sent.answer())));
    }

    private synchronized void requeue(Waiting sent, ScriptCall instead) {
        waiting.addFirst(new Waiting(instead, instead.command(keys), sent.asking(), sent.since(), sent.answer()));
    }

    private synchronized void forget() {
        connection = null;
    }

    /**
     * A call that waits for its round.
     *
     * @param script the call as a command, which is sent once
     * @param since the time at which it began to wait, by the monotonic clock
     */
    private record Waiting(
            ScriptCall call,
            AsyncCommand<byte[], byte[], List<Object>> script,
            boolean asking,
            long since,
            CompletableFuture<Replicated> answer) {

        void fail(Throwable failure) {
            answer.completeExceptionally(RedisFailures.classified(call, failure));
        }

        /** Returns whether the connection cannot be used any more: it broke, or its server is no longer a master. */
        boolean showsThatItIsOver() {
            return Stages.compose(script, (replies, failure) -> CompletableFuture.completedFuture(failure != null
                            && (!(failure instanceof RedisCommandExecutionException)
                                    || RedisFailures.ofReplica(failure))))
                    .join();
        }
    }
}
