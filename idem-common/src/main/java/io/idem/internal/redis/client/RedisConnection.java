package io.idem.internal.redis.client;

import io.idem.MonotonicClock;
import io.idem.redis.RedisSettings;
import io.idem.redis.RedisTopology;
import io.idem.redis.UnsuitableRedisException;
import io.idem.spi.Stages;
import io.lettuce.core.event.connection.ReconnectFailedEvent;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    /** The time after which the servers are looked at again. */
    private static final long BETWEEN_LOOKS = Duration.ofMinutes(1).toNanos();

    /** The shortest life of a connection to a server that turns out to be a replica. */
    private static final long BETWEEN_CONNECTIONS = Duration.ofSeconds(1).toNanos();

    /** The only hint in Lettuce's exception if the server refused the handshake and closed the connection at once. */
    private static final String HUNG_UP = "RedisHandshakeHandler";

    private final LettuceClient<?> client;
    private final RedisRequirements requirements;
    private final Duration timeout;
    private final boolean watched;
    private final MonotonicClock clock;
    private volatile @Nullable CompletableFuture<LiveConnection> attempt;
    private volatile @Nullable Throwable reconnectFailure;
    private volatile long lookedAt;
    private volatile boolean guarded;
    private long dialledAt;
    private boolean closed;

    public RedisConnection(RedisSettings settings) {
        this(settings, MonotonicClock.SYSTEM);
    }

    RedisConnection(RedisSettings settings, MonotonicClock clock) {
        this.clock = clock;
        this.lookedAt = clock.nanoTime();
        this.client = LettuceClient.of(settings);
        this.requirements = new RedisRequirements(settings.guards(), settings.replication(), InstantSource.system());
        this.watched = settings.topology() instanceof RedisTopology.Sentinel;
        this.timeout = settings.commandTimeout();
        client.whenServersChange(this::lookAgain);
        client.on(ReconnectFailedEvent.class, failed -> reconnectFailure = failed.getCause());
    }

    /**
     * Returns the connection once it is made. Fails with {@link NoConnectionException} if Redis cannot be reached or
     * must not be used.
     */
    public CompletableFuture<LiveConnection> get() {
        CompletableFuture<LiveConnection> current = attempt;
        if (current != null && Stages.isAnswered(current)) {
            lookIfDue();
            return current;
        }
        return Stages.handle(
                attempt().copy().orTimeout(timeout.toMillis() * STEPS, TimeUnit.MILLISECONDS),
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
        return said.startsWith(HUNG_UP)
                ? "it ended the connection while that was set up; its log may say why"
                : RedisFailures.explained(said);
    }

    /** Returns a failure with the reason why there is no connection, if that is what it says. */
    Throwable explained(Throwable failure) {
        Throwable why = reconnectFailure;
        return why != null && String.valueOf(failure.getMessage()).startsWith(RedisFailures.NOT_CONNECTED)
                ? new NoConnectionException(client + " cannot be used: " + why(why), why)
                : failure;
    }

    private synchronized CompletableFuture<LiveConnection> attempt() {
        if (closed) {
            return CompletableFuture.failedFuture(new IllegalStateException("the store is closed"));
        }
        CompletableFuture<LiveConnection> current = attempt;
        if (current == null || current.isCompletedExceptionally()) {
            dialledAt = clock.nanoTime();
            current = client.connect().thenCompose(this::checked);
            attempt = current;
        }
        return current;
    }

    /**
     * Looks at the servers of a new connection. The first look that finds them unsuitable ends the attempt, since its
     * callers did not know; from then on those that ask for the {@link #refusal} may use them for what needs no grant.
     */
    private CompletableFuture<LiveConnection> checked(LiveConnection connection) {
        boolean known = guarded && requirements.refusal().isPresent();
        return look(connection)
                .thenApply(looked -> {
                    requirements.refusal().filter(unsuitable -> !known).ifPresent(unsuitable -> {
                        throw unsuitable;
                    });
                    return connection;
                })
                .whenComplete((checked, failure) -> {
                    if (failure != null) {
                        var unused = connection.closeAsync();
                    }
                });
    }

    /**
     * Returns the reason why no work must be granted, by the last look at the servers, which is repeated once a minute
     * while the connection is used; empty if they are suitable.
     */
    public Optional<UnsuitableRedisException> refusal() {
        guarded = true;
        lookIfDue();
        return requirements.refusal();
    }

    private void lookIfDue() {
        if (clock.nanoTime() - lookedAt >= BETWEEN_LOOKS) {
            lookAgain();
        }
    }

    /** Returns how many keys the servers have evicted while this connection looked at them. */
    public long evictedKeys() {
        return requirements.evictedKeys();
    }

    /** Looks at all servers that can be reached. Fails if there is none, or if the master of the Sentinels is a replica. */
    public CompletableFuture<Void> look(LiveConnection connection) {
        lookedAt = clock.nanoTime();
        CompletableFuture<List<String>> told = Stages.handle(connection.infos(timeout), infos -> infos, failure -> {
            if (RedisFailures.hidden(failure)) {
                return List.of("");
            }
            throw failure;
        });
        return told.thenAccept(infos -> {
            reconnectFailure = null;
            requirements.look(infos);
            if (watched && infos.stream().anyMatch(RedisRequirements::isReplica)) {
                throw new DemotedException("the server that the Sentinels name is a replica: a failover is under way");
            }
        });
    }

    /** Returns the connection; null unless it is made. */
    private @Nullable LiveConnection made() {
        CompletableFuture<LiveConnection> current = attempt;
        return current != null && Stages.isAnswered(current) ? current.join() : null;
    }

    /** Looks at the servers after one was added, reconnected or promoted, or after a while. */
    private void lookAgain() {
        LiveConnection made = made();
        if (made != null) {
            Stages.whenComplete(look(made), (looked, failure) -> {
                if (failure instanceof DemotedException) {
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

    /**
     * Reacts to a server that answers as a replica: the address, or the Sentinels, may lead to another one by now. A
     * cluster says itself where its masters are. But where a node was replaced under its name, the former one names the
     * address to which Lettuce is connected, and Lettuce keeps that connection.
     */
    synchronized void demoted(LiveConnection connection, Throwable answer) {
        if (connection.isCluster() == RedisFailures.ofMovedSlot(answer)
                && clock.nanoTime() - dialledAt >= BETWEEN_CONNECTIONS) {
            replace(connection);
        }
    }

    private synchronized void replace(LiveConnection connection) {
        if (connection.equals(made())) {
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
