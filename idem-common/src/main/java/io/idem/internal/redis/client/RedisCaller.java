package io.idem.internal.redis.client;

import io.idem.StoreUnavailableException;
import io.idem.redis.RedisSettings;
import io.idem.spi.Stages;
import io.lettuce.core.protocol.AsyncCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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

    /** Creates a caller on a connection of its own, which it does not make yet. */
    public RedisCaller(RedisSettings settings) {
        this.connection = new RedisConnection(settings);
        this.longest = settings.commandTimeout().multipliedBy(MOST_TIMEOUTS);
    }

    public RedisConnection connection() {
        return connection;
    }

    /**
     * Runs one command and waits for its answer.
     *
     * @param what names the command in messages; its text is needed only if there is one
     */
    public <T> T call(Object what, Function<LiveConnection, CompletionStage<T>> command) {
        return await(send(what, command));
    }

    /** Waits for an answer. An interrupt ends the wait, not the command. */
    public <T> T await(CompletionStage<T> answer) {
        return Stages.await(answer, longest);
    }

    /** Runs one command without blocking. */
    public <T> CompletableFuture<T> send(Object what, Function<LiveConnection, CompletionStage<T>> command) {
        CompletableFuture<LiveConnection> connected = connection.get();
        return observed(what, Stages.compose(connected, command), connected);
    }

    /** Sends commands in one flush; {@code what} names each of them, at its own position. */
    public <T> List<CompletableFuture<T>> sendAll(List<?> what, List<AsyncCommand<byte[], byte[], T>> commands) {
        CompletableFuture<LiveConnection> connected = connection.get();
        if (Stages.isAnswered(connected)) {
            connected.join().dispatch(commands);
        } else {
            Stages.whenComplete(connected, (ready, failure) -> {
                if (failure == null) {
                    ready.dispatch(commands);
                } else {
                    commands.forEach(command -> command.completeExceptionally(failure));
                }
            });
        }
        List<CompletableFuture<T>> named = new ArrayList<>(commands.size());
        for (AsyncCommand<byte[], byte[], T> command : commands) {
            named.add(observed(what.get(named.size()), command, connected));
        }
        return named;
    }

    /**
     * Lets the connection observe a failure before its caller sees it, so that the caller's next call uses a connection
     * that has reacted.
     */
    private <T> CompletableFuture<T> observed(
            Object what, CompletionStage<T> answer, CompletableFuture<LiveConnection> connected) {
        return Stages.handle(answer, given -> given, failure -> {
            if (RedisFailures.ofReplica(failure)) {
                connection.demoted(connected.join(), failure);
            }
            throw RedisFailures.classified(what, connection.explained(failure));
        });
    }

    @Override
    public void close() {
        connection.close();
    }
}
