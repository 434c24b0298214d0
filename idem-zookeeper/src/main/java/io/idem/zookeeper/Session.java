package io.idem.zookeeper;

import io.idem.spi.Stages;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.zookeeper.AsyncCallback.MultiCallback;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.OpResult.SetDataResult;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.ZooKeeper.States;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session. Its requests take effect in their order, and its reads never go back in time: a chain of
 * requests that build on each other uses one session, and fails with it. Thread-safe; nothing blocks.
 *
 * @param limit the longest wait for the answer to a request
 */
record Session(ZooKeeper client, Layout layout, List<ACL> access, Duration limit) {

    /** The largest node that is sent: with its name and headers below the limit of a packet, 1 MiB by default. */
    static final int LARGEST = 1_000_000;

    private static final byte[] EMPTY = {};
    private static final int ANY_VERSION = -1;

    /**
     * Returns the leader's time in milliseconds. It is the stamp of a write, which all earlier writes of all clients
     * precede, and reads that are sent after it see them.
     */
    CompletableFuture<Long> time() {
        return Stages.compose(write(layout.clock(), EMPTY, ANY_VERSION), (stat, failure) -> {
            if (failure == null) {
                return CompletableFuture.completedFuture(stat.getMtime());
            }
            return Failures.isMissing(failure)
                    ? Stages.compose(createIfMissing(layout.clock()), unused -> time())
                    : Stages.failed(failure);
        });
    }

    /** Creates a node without bytes, and its parents, where they do not exist. */
    CompletableFuture<Boolean> createIfMissing(String path) {
        return Stages.compose(create(path, EMPTY), (stat, failure) -> {
            if (failure == null || Failures.is(failure, Code.NODEEXISTS)) {
                return CompletableFuture.completedFuture(true);
            }
            String parent = Layout.parentOf(path);
            return Failures.isMissing(failure) && !parent.isEmpty()
                    ? Stages.compose(createIfMissing(parent), unused -> createIfMissing(path))
                    : Stages.failed(failure);
        });
    }

    CompletableFuture<Stat> create(String path, byte[] data) {
        return sent(answer -> client.create(
                path,
                data,
                access,
                CreateMode.PERSISTENT,
                (code, of, context, name, stat) -> end(answer, code, of, stat),
                null));
    }

    CompletableFuture<Node> read(String path) {
        return sent(answer -> client.getData(
                path,
                false,
                (code, of, context, data, stat) -> end(answer, code, of, stat == null ? null : new Node(data, stat)),
                null));
    }

    /** Returns a node; empty if there is none. */
    CompletableFuture<Optional<Node>> find(String path) {
        return Stages.handle(read(path), Optional::of, Failures.instead(Failures::isMissing, Optional.empty()));
    }

    /** Returns the version of a node; empty if there is none. */
    CompletableFuture<OptionalInt> version(String path) {
        CompletableFuture<Stat> found = sent(
                answer -> client.exists(path, false, (code, of, context, stat) -> end(answer, code, of, stat), null));
        return Stages.handle(
                found,
                stat -> OptionalInt.of(stat.getVersion()),
                Failures.instead(Failures::isMissing, OptionalInt.empty()));
    }

    /** Writes bytes if the node has the given version. */
    CompletableFuture<Stat> write(String path, byte[] data, int version) {
        return sent(answer ->
                client.setData(path, data, version, (code, of, context, stat) -> end(answer, code, of, stat), null));
    }

    /** Writes bytes if the node has the given version and none beside it was deleted since its parent was seen. */
    CompletableFuture<Stat> write(String path, byte[] data, int version, int versionOfParent) {
        List<Op> both = List.of(Op.check(Layout.parentOf(path), versionOfParent), Op.setData(path, data, version));
        return Stages.map(transaction(path, both), done -> ((SetDataResult) done.get(1)).getStat());
    }

    /**
     * Deletes children of a node if each has the given version, and none was deleted since their parent was seen.
     * Writes the parent, so that every other deletion or write which builds on what it saw before is refused.
     *
     * @return whether they were deleted
     */
    CompletableFuture<Boolean> delete(Map<String, Integer> versions, String parent, int versionOfParent) {
        List<Op> all = new ArrayList<>();
        all.add(Op.setData(parent, EMPTY, versionOfParent));
        versions.forEach((path, version) -> all.add(Op.delete(path, version)));
        return Stages.handle(transaction(parent, all), done -> true, Failures.instead(Failures::isChanged, false));
    }

    /** Returns the names of the records in a shard, in order. */
    CompletableFuture<List<String>> records(String shard) {
        return Stages.map(
                children(layout.shard(shard)),
                names -> names.stream()
                        .filter(name -> Layout.NAME.matcher(name).matches())
                        .toList());
    }

    /** Returns the names of the nodes below a node, in order; none if it does not exist. */
    CompletableFuture<List<String>> children(String path) {
        CompletableFuture<List<String>> found = sent(answer -> client.getChildren(
                path,
                false,
                (int code, String of, Object context, @Nullable List<String> names) -> end(answer, code, of, names),
                null));
        return Stages.handle(
                found, names -> names.stream().sorted().toList(), Failures.instead(Failures::isMissing, List.of()));
    }

    private CompletableFuture<List<OpResult>> transaction(String path, List<Op> all) {
        return sent(answer -> {
            MultiCallback callback = (int code, String of, Object context, @Nullable List<OpResult> done) ->
                    end(answer, code, path, done);
            client.multi(all, callback, null);
        });
    }

    private <T> void end(CompletableFuture<T> answer, int code, String path, @Nullable T value) {
        if (code == Code.OK.intValue() && value != null) {
            answer.complete(value);
        } else {
            answer.completeExceptionally(KeeperException.create(codeOf(code), path));
        }
    }

    /**
     * Returns the code that a request ended with. When a client ends its session, its requests end so, whether they were
     * sent or not: this says no more than a lost connection does.
     */
    private static Code codeOf(int code) {
        Code ended = Code.get(code);
        return ended == Code.SESSIONEXPIRED || ended == Code.AUTHFAILED ? Code.CONNECTIONLOSS : ended;
    }

    /** Sends a request, unless the session has ended: then nothing is sent, and the failure says so. */
    private <T> CompletableFuture<T> sent(Consumer<CompletableFuture<T>> send) {
        States state = client.getState();
        if (!state.isAlive()) {
            return Stages.failed(
                    KeeperException.create(state == States.AUTH_FAILED ? Code.AUTHFAILED : Code.SESSIONEXPIRED));
        }
        CompletableFuture<T> answer = new CompletableFuture<>();
        send.accept(answer);
        return answer.orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
