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
 * The connection that all callers share: made on first use, checked, and then kept by Lettuce's own reconnecting.
 * Callers that arrive meanwhile wait for the same attempt to connect.
 */
public final class RedisConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(RedisConnection.class);

    /**
     * The steps of connecting that may each take one timeout: the topology, the connect, its handshake and the check of
     * the servers.
     */
    private static final int STEPS = 5;

    /**
     * The number of successive commands without an answer after which the connection is replaced, because the network
     * may be dropping everything.
     */
    private static final int SILENCES_UNTIL_REPLACED = 3;

    /** The only hint in Lettuce's exception if the server refused the handshake and closed the connection at once. */
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

    /**
     * Returns the connection once it is made. Fails with {@link NoConnectionException} if Redis cannot be reached or
     * must not be used.
     */
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

    /** Checks the servers again after one was added, reconnected or promoted. */
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

    /** Reacts to a server's reply that other servers are responsible now. */
    public void serversChanged() {
        client.refresh();
    }

    /** Reacts to a server that refused a write because it is a replica. */
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

    /** Notes that a command was answered. */
    void answered() {
        if (silences.get() != 0) {
            silences.set(0);
        }
    }

    /** Notes that a command was not answered in time. */
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
