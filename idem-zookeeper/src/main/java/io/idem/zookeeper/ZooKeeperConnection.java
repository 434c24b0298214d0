package io.idem.zookeeper;

import io.idem.StoreUnavailableException;
import io.idem.StoreUnavailableException.Execution;
import io.idem.spi.Stages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
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
    private static final byte[] EMPTY = {};
    private static final int ANY_VERSION = -1;

    /** The largest node that is sent: with its name and headers below the limit of a packet, 1 MiB by default. */
    private static final int LARGEST = 1_000_000;

    private final ZooKeeperSettings settings;
    private final Layout layout;
    private final List<ACL> access;
    private @Nullable ZooKeeper client;
    private boolean closed;

    /** Creates a connection, which does not connect before its first use. */
    public ZooKeeperConnection(ZooKeeperSettings settings) {
        this.settings = settings;
        this.layout = new Layout(settings.root());
        this.access = settings.credentials().isPresent() ? ZooDefs.Ids.CREATOR_ALL_ACL : ZooDefs.Ids.OPEN_ACL_UNSAFE;
    }

    /**
     * Creates the root if it is missing, and writes to it. Blocks for the call timeout at most, but for five seconds
     * where that is shorter.
     *
     * @throws StoreUnavailableException if ZooKeeper does not answer
     * @throws UnsuitableZooKeeperException if it answers and cannot be used
     */
    public void check() {
        try {
            var unused = Stages.await(time(), settings.callTimeout());
        } catch (RuntimeException failure) {
            throw unsuitable(failure.getCause() == null ? failure : failure.getCause());
        }
    }

    private RuntimeException unsuitable(Throwable failure) {
        if (Failures.is(failure, Code.NOAUTH) || Failures.is(failure, Code.INVALIDACL)) {
            return new UnsuitableZooKeeperException(
                    "ZooKeeper at " + settings.connect() + " refuses to let idem write below " + settings.root()
                            + "; give this user all rights there, or set another root or other credentials",
                    failure);
        }
        if (Failures.is(failure, Code.NONODE)) {
            return new UnsuitableZooKeeperException(
                    "The path at the end of the connect string " + settings.connect()
                            + " does not exist in ZooKeeper; create it",
                    failure);
        }
        return Failures.ofRead("the check of " + settings.root() + " at " + settings.connect(), failure);
    }

    /** Waits for the answer of a call that changes no record. */
    <T> T await(String call, Supplier<CompletableFuture<T>> request) {
        try {
            return Stages.join(request.get());
        } catch (RuntimeException failure) {
            Throwable cause = failure.getCause();
            throw Failures.ofRead(call, failure instanceof IllegalStateException && cause != null ? cause : failure);
        }
    }

    Layout layout() {
        return layout;
    }

    Duration callTimeout() {
        return settings.callTimeout();
    }

    /**
     * Returns the leader's time in milliseconds. It is the stamp of a write, which all earlier writes of all clients
     * precede, and reads that are sent after it see them.
     */
    CompletableFuture<Long> time() {
        return Stages.compose(write(layout.clock(), EMPTY, ANY_VERSION), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(stat.getMtime());
            }
            return Failures.is(failure, Code.NONODE)
                    ? Stages.compose(ensure(layout.clock()), unused -> time())
                    : Stages.failed(failure);
        });
    }

    /** Creates a node without bytes, and its parents, where they do not exist. */
    CompletableFuture<Boolean> ensure(String path) {
        return Stages.compose(create(path, EMPTY), (stat, failure) -> {
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                return CompletableFuture.completedFuture(true);
            }
            String parent = Layout.parentOf(path);
            return Failures.is(failure, Code.NONODE) && !parent.isEmpty()
                    ? Stages.compose(ensure(parent), unused -> ensure(path))
                    : Stages.failed(failure);
        });
    }

    CompletableFuture<Stat> create(String path, byte[] data) {
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        client().create(
                        path,
                        data,
                        access,
                        CreateMode.PERSISTENT,
                        (code, of, context, name, stat) -> end(answer, code, of, stat),
                        null);
        return limited(answer);
    }

    CompletableFuture<Node> read(String path) {
        CompletableFuture<Node> answer = new CompletableFuture<>();
        client().getData(
                        path,
                        false,
                        (code, of, context, data, stat) ->
                                end(answer, code, of, stat == null ? null : new Node(data, stat)),
                        null);
        return limited(answer);
    }

    /** Writes bytes if the node has the given version. */
    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        if (data.length > LARGEST) {
            return Stages.failed(new IllegalArgumentException(path + " would take " + data.length
                    + " bytes; ZooKeeper keeps at most " + LARGEST + ": remember fewer steps, or smaller results"));
        }
        CompletableFuture<Stat> answer = new CompletableFuture<>();
        client().setData(path, data, version, (code, of, context, stat) -> end(answer, code, of, stat), null);
        return limited(answer);
    }

    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        client().getChildren(
                        path,
                        false,
                        (int code, String of, Object context, @Nullable List<String> names) ->
                                end(answer, code, of, names),
                        null);
        return limited(answer);
    }

    /** Deletes a node if it has the given version. Returns whether it did. */
    CompletableFuture<Boolean> delete(String path, int version) {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        client().delete(path, version, (code, of, context) -> end(answer, code, of, true), null);
        return Stages.compose(limited(answer), (deleted, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(true);
            }
            return Failures.is(failure, Code.BADVERSION) || Failures.is(failure, Code.NONODE)
                    ? CompletableFuture.completedFuture(false)
                    : Stages.failed(failure);
        });
    }

    private static <T> void end(CompletableFuture<T> answer, int code, String path, @Nullable T value) {
        if (code == Code.OK.intValue() && value != null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(KeeperException.create(Code.get(code), path));
        }
    }

    private <T> CompletableFuture<T> limited(CompletableFuture<T> answer) {
        return answer.orTimeout(settings.callTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns the client of the present session, or of a new one if that has ended. */
    synchronized ZooKeeper client() {
        if (closed) {
            throw new StoreUnavailableException(
                    "The connection to ZooKeeper is closed",
                    Execution.NOT_EXECUTED,
                    new IllegalStateException("closed"));
        }
        ZooKeeper known = client;
        if (known != null && known.getState().isAlive()) {
            return known;
        }
        if (known != null) {
            LOG.info("The session with ZooKeeper has ended; a new one begins. No lease depends on it");
        }
        ZooKeeper next = connected();
        client = next;
        return next;
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

    /** Ends the session, waiting for the server for the call timeout at most. Later calls are refused. */
    @Override
    public synchronized void close() {
        closed = true;
        ZooKeeper known = client;
        client = null;
        if (known == null) {
            return;
        }
        try {
            known.close(Math.toIntExact(settings.callTimeout().toMillis()));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
