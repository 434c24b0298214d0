package io.idem.internal.redis.client;

import io.idem.FailurePolicy;
import io.idem.StoreUnavailableException;
import io.idem.spi.Stages;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisReadOnlyException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Sends commands and turns failures into {@link StoreUnavailableException}s. Only {@link #await} and the methods that
 * use it block. Lettuce ends every command after the command timeout.
 */
public final class RedisCaller implements AutoCloseable {

    /**
     * The longest wait in command timeouts: more than a connect, a script by its digest and by its text, and a read
     * take together.
     */
    private static final int MOST_TIMEOUTS = 10;

    private final RedisConnection connection;
    private final Duration longest;

    public RedisCaller(RedisConnection connection, Duration commandTimeout) {
        this.connection = connection;
        this.longest = commandTimeout.multipliedBy(MOST_TIMEOUTS);
    }

    /**
     * Runs one command and waits for its answer.
     *
     * @param what names the command in messages; its text is needed only if there is one
     */
    public <T> T call(Object what, Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
        return await(what, send(what, command));
    }

    /**
     * Runs one command on the connection itself and waits for its answer.
     *
     * @param what names the command in messages
     */
    public <T> T callOn(Object what, Function<LiveConnection, CompletionStage<T>> command) {
        return await(what, sendOn(what, command));
    }

    /** Waits for an answer. An interrupt ends the wait, not the command. */
    public <T> T await(Object what, CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw rethrown(FailurePolicy.unwrapped(failed));
        } catch (TimeoutException silent) {
            throw RedisFailures.unknown(what.toString(), "nothing was heard of it", silent);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw RedisFailures.unknown(what.toString(), "the caller was interrupted", interrupted);
        }
    }

    private static RuntimeException rethrown(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return failure instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(failure);
    }

    /** Runs one command without blocking. */
    public <T> CompletableFuture<T> send(
            Object what, Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
        return sendOn(what, ready -> command.apply(ready.async()));
    }

    private <T> CompletableFuture<T> sendOn(Object what, Function<LiveConnection, CompletionStage<T>> command) {
        CompletableFuture<LiveConnection> connected = connection.get();
        CompletableFuture<T> answer = Stages.compose(connected, command);
        return observed(what, answer, new ConnectionObserver(connected));
    }

    /** Sends commands in one flush; {@code what} names each of them, at its own position. */
    public <T> List<CompletableFuture<T>> sendAll(List<?> what, List<AsyncCommand<byte[], byte[], T>> commands) {
        CompletableFuture<LiveConnection> connected = connection.get();
        CompletableFuture<LiveConnection> sent = Stages.map(connected, ready -> {
            ready.dispatch(commands);
            return ready;
        });
        ConnectionObserver observer = new ConnectionObserver(connected);
        List<CompletableFuture<T>> named = new ArrayList<>(commands.size());
        for (AsyncCommand<byte[], byte[], T> command : commands) {
            named.add(observed(what.get(named.size()), Stages.compose(sent, dispatched -> command), observer));
        }
        return named;
    }

    /**
     * Lets the connection observe an answer before its caller sees it, so that the caller's next call uses a connection
     * that has reacted.
     */
    private <T> CompletableFuture<T> observed(Object what, CompletableFuture<T> answer, ConnectionObserver observer) {
        return Stages.handle(
                answer,
                given -> {
                    connection.answered();
                    return given;
                },
                failure -> {
                    observer.failed(failure);
                    throw RedisFailures.classified(what, failure);
                });
    }

    @Override
    public void close() {
        connection.close();
    }

    /** Reports the failures of one flush to its connection. */
    private final class ConnectionObserver {

        private final CompletableFuture<LiveConnection> connected;
        private final AtomicBoolean silent = new AtomicBoolean();

        ConnectionObserver(CompletableFuture<LiveConnection> connected) {
            this.connected = connected;
        }

        /**
         * Reports a failure. An error reply of Redis counts as an answer. All timeouts of a flush count as one, because
         * its commands were sent together.
         */
        void failed(Throwable failure) {
            if (connected.isCompletedExceptionally()) {
                return;
            }
            if (failure instanceof RedisReadOnlyException) {
                connection.demoted(connected.join());
            } else if (failure instanceof RedisCommandExecutionException) {
                connection.answered();
            } else if (failure instanceof RedisCommandTimeoutException && silent.compareAndSet(false, true)) {
                connection.silent(connected.join());
            }
        }
    }
}
