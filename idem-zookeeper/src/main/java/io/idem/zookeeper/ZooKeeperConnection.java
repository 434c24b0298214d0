package io.idem.zookeeper;

import static io.idem.internal.Durations.longer;

import io.idem.ConfigurationException;
import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.ZKConfig;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session with ZooKeeper, shared by the store, its lister and its cleaner. Connects in the background; after the end
 * of a session the next call begins a new one. Sessions carry requests and nothing else: no lease depends on them.
 * Thread-safe. Properties of the JVM that ZooKeeper's client reads, {@code zookeeper.*}, count as usual, also for TLS.
 */
public final class ZooKeeperConnection implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperConnection.class);

    /** Room for a full record and what is sent with it. */
    private static final int LEAST_ROOM = Session.LARGEST + 10_000;

    /** The nanoseconds for which calls are refused after a session failed to authenticate. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final ZooKeeperSettings settings;
    private final Layout layout;
    private final List<ACL> access;
    private @Nullable ZooKeeper client;

    /** When a call first saw that the present session failed to authenticate. */
    private @Nullable Long refusedAt;

    private boolean closed;

    /** Creates a connection, which does not connect before its first use. */
    public ZooKeeperConnection(ZooKeeperSettings settings) {
        this.settings = settings;
        this.layout = new Layout(settings.root());
        this.access = settings.credentials().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /**
     * Creates the root if it is missing, and writes to it. Blocks for the session timeout at most, so that servers
     * which do not answer are left for another one, or for the call timeout or five seconds where those are longer.
     *
     * @return the session timeout as the server has it, which may be longer than asked for
     * @throws StoreUnavailableException if ZooKeeper does not answer
     * @throws ConfigurationException if it answers and cannot be used, or if its client here takes no full record
     */
    public Duration check() {
        requireRoomForARecord();
        Duration limit = longer(settings.sessionTimeout(), settings.callTimeout());
        long begun = System.nanoTime();
        Throwable failure = failureWithin(limit);
        while (failure != null) {
            Duration left = limit.minusNanos(System.nanoTime() - begun);
            if (!Failures.is(failure, Code.CONNECTIONLOSS) || left.toMillis() < 1) {
                throw unsuitable(failure);
            }
            failure = failureWithin(left);
        }
        return Duration.ofMillis(client().getSessionTimeout());
    }

    private @Nullable Throwable failureWithin(Duration limit) {
        try {
            var unused = Stages.await(session(limit).time(), limit);
            return null;
        } catch (RuntimeException failure) {
            return failure.getCause() == null ? failure : failure.getCause();
        }
    }

    /** The client ends its connection, and with it the calls of everybody, when an answer is larger than its limit. */
    private static void requireRoomForARecord() {
        String property = ZKConfig.JUTE_MAXBUFFER;
        int room;
        try {
            room = new ZKClientConfig().getInt(property, ZKClientConfig.CLIENT_MAX_PACKET_LENGTH_DEFAULT);
        } catch (NumberFormatException noNumber) {
            room = 0;
        }
        if (room < LEAST_ROOM) {
            throw new ConfigurationException(
                    "The system property " + property + " lets ZooKeeper's client take " + room
                            + " bytes at most, and a full record needs " + LEAST_ROOM,
                    "Raise or remove it");
        }
    }

    private RuntimeException unsuitable(Throwable failure) {
        if (Failures.is(failure, Code.NOAUTH) || Failures.is(failure, Code.INVALIDACL)) {
            return new ConfigurationException(
                    "ZooKeeper at " + settings.connect() + " refuses to let idem write below " + settings.root(),
                    "Give this user all rights there, or set another root or other credentials under idem.zookeeper",
                    failure);
        }
        if (Failures.is(failure, Code.NONODE)) {
            return new ConfigurationException(
                    "The path at the end of the connect string " + settings.connect() + " does not exist in ZooKeeper",
                    "Create it, or change idem.zookeeper.connect",
                    failure);
        }
        if (Failures.is(failure, Code.AUTHFAILED)) {
            return new ConfigurationException(
                    "ZooKeeper at " + settings.connect() + " and its client here do not agree on who the client is",
                    "Correct the client's configuration of SASL",
                    failure);
        }
        return Failures.ofRead("the check of " + settings.root() + " at " + settings.connect(), failure);
    }

    /** Waits for the answer to a request that changes no record. */
    static <T> T await(String call, CompletableFuture<T> request) {
        try {
            return Stages.join(request);
        } catch (RuntimeException failure) {
            Throwable cause = failure.getCause();
            throw Failures.ofRead(call, failure instanceof IllegalStateException && cause != null ? cause : failure);
        }
    }

    /** Waits for the nodes of records, which are read in one round trip; empty where there is none. */
    static List<Optional<Node>> nodes(String call, Session session, List<String> names) {
        List<CompletableFuture<Optional<Node>>> reads =
                names.stream().map(session.layout()::record).map(session::find).toList();
        return reads.stream().map(read -> await(call, read)).toList();
    }

    /** Returns the settings of this connection. */
    public ZooKeeperSettings settings() {
        return settings;
    }

    Layout layout() {
        return layout;
    }

    /** Returns the present session, or a new one if that has ended. */
    Session session() {
        return session(settings.callTimeout());
    }

    private Session session(Duration limit) {
        return new Session(client(), layout, access, limit);
    }

    /**
     * Returns the client of the present session, or of a new one if that has ended. One whose authentication failed
     * stays for a moment, so that calls do not begin session after session.
     */
    synchronized ZooKeeper client() {
        if (closed) {
            throw new StoreUnavailableException(
                    "The connection to ZooKeeper is closed",
                    Execution.NOT_EXECUTED,
                    new IllegalStateException("closed"));
        }
        ZooKeeper known = client;
        if (known != null && (known.getState().isAlive() || isPausing(known))) {
            return known;
        }
        if (known != null) {
            LOG.info("The session with ZooKeeper has ended; a new one begins. No lease depends on it");
        }
        ZooKeeper next = connected();
        client = next;
        refusedAt = null;
        return next;
    }

    private boolean isPausing(ZooKeeper known) {
        if (known.getState() != States.AUTH_FAILED) {
            return false;
        }
        long now = System.nanoTime();
        long first = refusedAt == null ? now : refusedAt;
        refusedAt = first;
        return now - first < PAUSE;
    }

    private ZooKeeper connected() {
        try {
            ZooKeeper next = new ZooKeeper(
                    settings.connect(),
                    Math.toIntExact(settings.sessionTimeout().toMillis()),
                    event -> LOG.debug("Session with ZooKeeper: {}", event.getState()),
                    new ZKClientConfig());
            settings.credentials().ifPresent(pair -> next.addAuthInfo("digest", pair.getBytes(StandardCharsets.UTF_8)));
            return next;
        } catch (IOException broken) {
            throw new StoreUnavailableException(
                    "ZooKeeper's client cannot be started: " + broken.getMessage(), Execution.NOT_EXECUTED, broken);
        }
    }

    /**
     * Ends the session. Later calls are refused at once. Waits for the server, which may be silent: for the session
     * timeout and the call timeout together at most. On an interrupted thread it does not wait, and requests that were
     * sent end with an unknown outcome.
     */
    @Override
    public void close() {
        ZooKeeper known = closing();
        if (known == null) {
            return;
        }
        boolean interrupted = Thread.currentThread().isInterrupted();
        try {
            boolean unused = known.close(Math.toIntExact(settings.callTimeout().toMillis()));
        } catch (InterruptedException whileWaiting) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the client that is to be closed, without waiting for it: other calls wait for this lock. */
    private synchronized @Nullable ZooKeeper closing() {
        closed = true;
        ZooKeeper known = client;
        client = null;
        return known;
    }
}
