package io.idem.internal.redis.replication;

import io.idem.internal.redis.client.RedisFailures;
import io.idem.internal.redis.script.Keys;
import io.idem.internal.redis.script.ScriptArguments;
import io.idem.internal.redis.script.ScriptCall;
import io.lettuce.core.protocol.AsyncCommand;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A script call on its way through the replication barrier.
 *
 * @param byText whether the server has said that it does not know the digest
 * @param asking whether the server is to answer for a slot that is still being migrated to it
 * @param since the time at which the call began to wait, by the monotonic clock
 * @param answer the reply with its confirmation
 */
record ReplicatedCall(
        ScriptCall call, boolean byText, boolean asking, long since, CompletableFuture<Replicated> answer) {

    static ReplicatedCall of(ScriptArguments line, boolean asking) {
        return new ReplicatedCall(
                new ScriptCall(line.run(), List.of(line)), false, asking, System.nanoTime(), new CompletableFuture<>());
    }

    AsyncCommand<byte[], byte[], List<Object>> command(Keys keys) {
        return byText ? call.byText(keys) : call.byDigest(keys);
    }

    ReplicatedCall asText() {
        return new ReplicatedCall(call, true, asking, since, answer);
    }

    /** Completes the answer with the script's replies and the confirmation of its write. */
    void take(List<Object> replies, ReplicaConfirmation confirmation) {
        try {
            answer.complete(Replicated.of(replies, confirmation));
        } catch (RuntimeException unreadable) {
            answer.completeExceptionally(RedisFailures.unreadable(call, unreadable));
        }
    }

    void fail(Throwable failure) {
        answer.completeExceptionally(RedisFailures.classified(call, failure));
    }
}
