package io.idem.internal.redis.client;

import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.Stages;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one connection that all callers share: made when first needed, checked, and from then on kept by Lettuce's own
 * reconnecting. Callers who come while it is being made wait for the same attempt.
 */
public final class RedisConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);

    /** Asking for the topology, a connect, its handshake and the check of the servers may each take one timeout. */
    private static final int STEPS = 5;

    /** So many commands in a row without an answer, and it is made anew: the way to Redis may be swallowing everything. */
    private static final int SILENCES_UNTIL_REPLACED = 3;

    /** All that Lettuce says if the server refused the handshake and hung up before Lettuce looked. */
    private static final String HUNG_UP = "RedisHandshakeHandler";

    private final LettuceClient client;
    private final RedisRequirements requirements;
    private final Duration timeout;
    private final boolean watched;
    private final AtomicInteger silences = new AtomicInteger();
    private volatile @Nullable CompletableFuture<LiveConnection> attempt;
    private boolean closed;

    public RedisConnection(RedisSettings settings) {
        this.client = LettuceClient.of(settings);
        this.requirements = new RedisRequirements(settings.guards(), settings.replication());
        this.watched = settings.topology() instanceof RedisTopology.Sentinel;
        this.timeout = settings.commandTimeout();
        client.whenServersChange(this::checkAgain);
    }

    /** The connection, when it is made; ends with {@link NoConnectionException} if Redis cannot be reached or must not be used. */
    public CompletableFuture<LiveConnection> get() {
        CompletableFuture<LiveConnection> current = attempt();
        if (current.isDone() && !current.isCompletedExceptionally()) {
            return current;
        }
        return Stages.handle(
                current.copy().orTimeout(timeout.toMillis() * STEPS, TimeUnit.MILLISECONDS),
                ready -> ready,
                failure -> {
                    throw failure instanceof TimeoutException
                            ? new NoConnectionException(client + " does not finish connecting", failure)
                            : new NoConnectionException(client + " cannot be used: " + why(failure), failure);
                });
    }

    private static String why(Throwable failure) {
        Throwable cause = failure.getCause();
        if (cause != null) {
            return why(cause);
        }
        String said = failure.getMessage();
        if (said == null) {
            return failure.getClass().getSimpleName();
        }
        return said.startsWith(HUNG_UP) ? "it ended the connection while that was set up; its log may say why" : said;
    }

    private CompletableFuture<LiveConnection> attempt() {
        CompletableFuture<LiveConnection> current = attempt;
        return current == null || current.isCompletedExceptionally() ? anotherAttempt() : current;
    }

    private synchronized CompletableFuture<LiveConnection> anotherAttempt() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
        }
        CompletableFuture<LiveConnection> current = attempt;
        if (current == null || current.isCompletedExceptionally()) {
            silences.set(0);
            current = client.connect().thenCompose(this::checked);
            attempt = current;
        }
        return current;
    }

    private CompletableFuture<LiveConnection> checked(LiveConnection connection) {
        return fit(connection)
                .whenComplete((checked, failure) -> {
                    if (failure != null) {
                        var unused = connection.closeAsync();
                    }
                })
                .thenApply(checked -> connection);
    }

    private CompletableFuture<Void> fit(LiveConnection connection) {
        return connection
                .infos(timeout)
                .exceptionally(RedisConnection::nothingIfForbidden)
                .thenAccept(infos -> infos.forEach(this::check));
    }

    private void check(String info) {
        requirements.check(info);
        if (watched && RedisRequirements.isReplica(info)) {
            throw new DemotedException("the server that the Sentinels name is a replica: a failover is under way");
        }
    }

    /** A server came, came back or was promoted: it must be as the first one was. */
    private void checkAgain() {
        CompletableFuture<LiveConnection> current = attempt;
        LiveConnection made = current == null || current.isCompletedExceptionally() ? null : current.getNow(null);
        if (made != null) {
            Stages.whenComplete(fit(made), (fit, failure) -> {
                if (failure instanceof UnsuitableRedisException || failure instanceof DemotedException) {
                    LOG.warn("{}; it is not used any more", failure.getMessage());
                    replace(made);
                }
            });
        }
    }

    /** Takes in that a server says that others serve now what it served before. */
    public void serversChanged() {
        client.refresh();
    }

    /** Takes in that a server refused a write because it is a replica. */
    void demoted(LiveConnection connection) {
        if (watched) {
            replace(connection);
        }
    }

    private static List<String> nothingIfForbidden(Throwable failure) {
        if (RedisFailures.hidden(failure)) {
            return List.of("");
        }
        throw new CompletionException(failure);
    }

    /** Takes in that a command was answered. */
    void answered() {
        if (silences.get() != 0) {
            silences.set(0);
        }
    }

    /** Takes in that a command was not answered in time. */
    void silent(LiveConnection connection) {
        if (silences.incrementAndGet() >= SILENCES_UNTIL_REPLACED) {
            replace(connection);
        }
    }

    private synchronized void replace(LiveConnection connection) {
        CompletableFuture<LiveConnection> current = attempt;
        if (current != null && !current.isCompletedExceptionally() && connection.isIn(current)) {
            attempt = null;
            var unused = connection.closeAsync();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            attempt = null;
        }
        client.close();
    }
}
