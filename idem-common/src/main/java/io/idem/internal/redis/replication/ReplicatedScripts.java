package io.idem.internal.redis.replication;

import io.idem.internal.redis.client.RedisConnection;
import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.ReplyReading;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptReply;
import io.idem.internal.redis.script.Scripting;
import io.idem.internal.redis.script.TransitionScripts;
import io.idem.redis.RedisSettings;
import io.idem.spi.Stages;
import io.lettuce.core.RedisURI;
import io.lettuce.core.internal.HostAndPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs scripts whose grants, renewals and outcomes count only when enough replicas have confirmed them. A grant without
 * enough confirmations is withdrawn, and the caller is told that the store is unavailable. Thread-safe.
 */
public final class ReplicatedScripts implements Scripting, AutoCloseable {

    private final Scripting plain;
    private final TransitionScripts scripts;
    private final RedisConnection shared;
    private final RedisSettings settings;
    private final BarrierClient client;
    private final Keys keys;
    private final Map<HostAndPort, ReplicationBarrier> barriers = new ConcurrentHashMap<>();

    /**
     * @param plain sends scripts that need no confirmation
     * @param shared knows where the masters are
     */
    public ReplicatedScripts(
            Scripting plain, TransitionScripts scripts, RedisConnection shared, RedisSettings settings) {
        this.plain = plain;
        this.scripts = scripts;
        this.shared = shared;
        this.settings = settings;
        this.keys = new Keys(settings.namespace());
        this.client = new BarrierClient(settings);
    }

    @Override
    public <A> List<CompletableFuture<A>> run(List<ScriptArguments> all, ReplyReading<A> reading) {
        List<CompletableFuture<A>> answers = new ArrayList<>(all.size());
        for (ScriptArguments line : all) {
            int position = answers.size();
            answers.add(new CompletableFuture<>());
            reading.follow(position, scripts.mustSpread(line) ? replicated(line) : plain.run(line), answers);
        }
        return answers;
    }

    private CompletableFuture<ScriptReply> replicated(ScriptArguments line) {
        CompletableFuture<Replicated> sent = sent(line);
        CompletableFuture<Replicated> settled = Stages.compose(
                sent,
                (replicated, failure) -> failure == null
                        ? sent
                        : line.after(failure).map(this::sent).orElse(sent));
        return Stages.compose(settled, replicated -> judged(line, replicated));
    }

    /** Sends a call to the master of its record, and where the cluster sends it on. */
    private CompletableFuture<Replicated> sent(ScriptArguments line) {
        CompletableFuture<Replicated> sent = Stages.compose(shared.get(), (known, failure) -> {
            if (failure != null) {
                throw RedisFailures.unavailable(line.toString(), failure);
            }
            return send(line, known.masterOf(keys.of(line.record()), settings), false);
        });
        return Stages.compose(sent, (replicated, failure) -> failure == null ? sent : redirected(line, failure));
    }

    private CompletableFuture<Replicated> send(ScriptArguments line, RedisURI master, boolean asking) {
        ReplicatedCall call = ReplicatedCall.of(line, asking);
        barriers.computeIfAbsent(place(master), place -> new ReplicationBarrier(settings, () -> client.connect(master)))
                .send(call);
        return call.answer();
    }

    private static HostAndPort place(RedisURI uri) {
        RedisURI first = uri.getSentinels().isEmpty() ? uri : uri.getSentinels().get(0);
        return first.getSocket() == null
                ? HostAndPort.of(first.getHost(), first.getPort())
                : HostAndPort.of(first.getSocket(), 0);
    }

    /** Repeats a call once on the node of a cluster that the failure names as the place of the record. */
    private CompletionStage<Replicated> redirected(ScriptArguments line, Throwable failure) {
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
        return send(line, uri.build(), ask);
    }

    private CompletionStage<ScriptReply> judged(ScriptArguments line, Replicated replicated) {
        if (!replicated.wrote() || replicated.confirmation().satisfies(settings.replication())) {
            return CompletableFuture.completedFuture(replicated.reply());
        }
        String why = replicated.confirmation().beside(settings.replication());
        if (!replicated.granted()) {
            return Stages.failed(RedisFailures.unconfirmed(line, why));
        }
        ScriptArguments back = scripts.withdraw(line, replicated.reply());
        return Stages.compose(
                plain.run(back),
                (reply, failure) -> Stages.failed(
                        failure == null && reply.word().equals("OK")
                                ? RedisFailures.takenBack(line, why)
                                : RedisFailures.unconfirmed(line, why)));
    }

    @Override
    public void close() {
        client.close();
    }
}
