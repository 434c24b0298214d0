package io.idem.internal.redis.replication;

import io.idem.internal.redis.client.RedisConnection;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.client.ServerClient;
import io.idem.internal.redis.script.PlainScripts;
import io.idem.internal.redis.script.ScriptCall;
import io.idem.internal.redis.script.ScriptLine;
import io.idem.internal.redis.script.ScriptReply;
import io.idem.internal.redis.script.ScriptTransport;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.RedisSettings;
import io.idem.spi.Stages;
import io.lettuce.core.RedisURI;
import io.lettuce.core.internal.HostAndPort;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends scripts whose grants, renewals and outcomes count only when enough replicas have confirmed them. A grant without
 * enough confirmations is withdrawn, and the caller is told that the store is unavailable. Thread-safe.
 */
public final class ReplicatedScripts implements ScriptTransport {

    private final PlainScripts plain;
    private final RedisConnection shared;
    private final RedisSettings settings;
    private final ServerClient client;
    private final Map<HostAndPort, ReplicationBarrier> barriers = new ConcurrentHashMap<>();

    /** @param plain sends scripts that need no confirmation, and knows where the masters are */
    public ReplicatedScripts(PlainScripts plain, RedisSettings settings) {
        this.plain = plain;
        this.shared = plain.redis().connection();
        this.settings = settings;
        this.client = ServerClient.ofBarrier(settings);
    }

    /** Sends calls of one record each. */
    @Override
    public List<CompletableFuture<List<ScriptReply>>> send(List<ScriptCall> calls) {
        return calls.stream()
                .map(call -> call.run().script().mustSpread() ? replicated(call) : plain.send(call))
                .toList();
    }

    /** Sends a call to the master of its record, and where the cluster sends it on. */
    private CompletableFuture<List<ScriptReply>> replicated(ScriptCall call) {
        CompletableFuture<Replicated> sent = Stages.compose(shared.get(), (known, failure) -> {
            if (failure != null) {
                throw RedisFailures.unavailable(call.toString(), failure);
            }
            byte[] key = plain.keys().of(call.lines().get(0).record());
            return send(call, known.masterOf(key, settings), false);
        });
        CompletableFuture<Replicated> settled =
                Stages.compose(sent, (replicated, failure) -> failure == null ? sent : redirected(call, failure));
        return Stages.compose(settled, replicated -> judged(call, replicated));
    }

    private CompletableFuture<Replicated> send(ScriptCall call, RedisURI master, boolean asking) {
        return barriers.computeIfAbsent(
                        place(master), place -> new ReplicationBarrier(settings, () -> client.connect(master)))
                .send(call, asking);
    }

    private static HostAndPort place(RedisURI uri) {
        RedisURI first = uri.getSentinels().isEmpty() ? uri : uri.getSentinels().get(0);
        return first.getSocket() == null
                ? HostAndPort.of(first.getHost(), first.getPort())
                : HostAndPort.of(first.getSocket(), 0);
    }

    /** Repeats a call once on the node of a cluster that the failure names as the place of the record. */
    private CompletionStage<Replicated> redirected(ScriptCall call, Throwable failure) {
        String[] words = RedisFailures.answerOf(failure).split(" ", -1);
        boolean ask = words[0].equals("ASK");
        if (words.length < 3 || !(ask || words[0].equals("MOVED"))) {
            return Stages.failed(failure);
        }
        shared.serversChanged();
        HostAndPort there = HostAndPort.parseCompat(words[2]);
        RedisURI like = settings.topology().uris().get(0);
        RedisURI.Builder uri =
                RedisURI.builder(like).withHost(there.getHostText()).withPort(there.getPort());
        return send(call, uri.build(), ask);
    }

    private CompletableFuture<List<ScriptReply>> judged(ScriptCall call, Replicated replicated) {
        if (!replicated.wrote() || replicated.confirmation().satisfies(settings.replication())) {
            return CompletableFuture.completedFuture(List.of(replicated.reply()));
        }
        String why = replicated.confirmation().beside(settings.replication());
        if (!replicated.granted()) {
            return Stages.failed(RedisFailures.unconfirmed(call, why));
        }
        ScriptLine<?> back = TransitionScripts.withdraw(call.lines().get(0), replicated.reply());
        return Stages.compose(
                plain.send(new ScriptCall(List.of(back))),
                (replies, failure) -> Stages.failed(
                        failure == null && replies.get(0).word().equals("OK")
                                ? RedisFailures.takenBack(call, why)
                                : RedisFailures.unconfirmed(call, why)));
    }

    @Override
    public void close() {
        client.close();
        plain.close();
    }
}
