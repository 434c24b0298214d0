package io.idem.redis;

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
import java.util.function.Function;

/**
 * Sends commands; a failure becomes a {@link StoreUnavailableException}. No thread waits but those that call
 * {@link #await}. Lettuce ends every command after the command timeout.
 */
final class RedisCaller implements AutoCloseable {

    /** Connecting, a script by its digest and by its text, and reading instead: more than all of it takes. */
    private static final int MOST_TIMEOUTS = 10;

    private final RedisConnection connection;
    private final Duration longest;

    RedisCaller(RedisConnection connection, Duration commandTimeout) {
        this.connection = connection;
        this.longest = commandTimeout.multipliedBy(MOST_TIMEOUTS);
    }

    /** Runs one command and waits for its answer; {@code what} names it in messages and is not asked before there is one. */
    <T> T call(Object what, Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
        return await(what, send(what, command));
    }

    /** Waits for what was sent. An interrupt ends the waiting, not the command. */
    <T> T await(Object what, CompletionStage<T> answer) {
        try {
            return answer.toCompletableFuture().get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw rethrown(Stages.unwrapped(failed));
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

    /** Runs one command. */
    <T> CompletableFuture<T> send(
            Object what, Function<RedisClusterAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
        CompletableFuture<LiveConnection> connected = connection.get();
        CompletableFuture<T> answer = Stages.compose(connected, ready -> command.apply(ready.async()));
        heed(connected, List.of(answer));
        return classified(what, answer);
    }

    /** Sends commands in one flush; {@code what} names each of them, at its own position. */
    <T> List<CompletableFuture<T>> sendAll(List<?> what, List<AsyncCommand<byte[], byte[], T>> commands) {
        CompletableFuture<LiveConnection> connected = connection.get();
        CompletableFuture<LiveConnection> sent = Stages.map(connected, ready -> {
            ready.dispatch(commands);
            return ready;
        });
        List<CompletableFuture<T>> answers = commands.stream()
                .map(command -> Stages.compose(sent, dispatched -> command))
                .toList();
        heed(connected, answers);
        List<CompletableFuture<T>> named = new ArrayList<>(answers.size());
        for (CompletableFuture<T> answer : answers) {
            named.add(classified(what.get(named.size()), answer));
        }
        return named;
    }

    private static <T> CompletableFuture<T> classified(Object what, CompletableFuture<T> answer) {
        return Stages.handle(answer, given -> given, failure -> {
            throw RedisFailures.classified(what, failure);
        });
    }

    /** A flush counts as one silence, however many commands it had: they went the same way at the same time. */
    private void heed(CompletableFuture<LiveConnection> connected, List<? extends CompletableFuture<?>> answers) {
        Stages.whenComplete(Stages.all(answers), (done, never) -> {
            if (answers.stream().anyMatch(answer -> failedBy(answer, RedisReadOnlyException.class))) {
                connection.demoted(connected.join());
            } else if (answers.stream().anyMatch(RedisCaller::answered)) {
                connection.answered();
            } else if (answers.stream().anyMatch(answer -> failedBy(answer, RedisCommandTimeoutException.class))) {
                connection.silent(connected.join());
            }
        });
    }

    /** An error of Redis is an answer too. */
    private static boolean answered(CompletableFuture<?> answer) {
        return !answer.isCompletedExceptionally() || failedBy(answer, RedisCommandExecutionException.class);
    }

    private static boolean failedBy(CompletableFuture<?> answer, Class<? extends Throwable> type) {
        return answer.handle((given, failure) -> failure != null && type.isInstance(Stages.unwrapped(failure)))
                .join();
    }

    @Override
    public void close() {
        connection.close();
    }
}
