package io.idem.internal.redis.script;

import io.idem.internal.redis.client.RedisCaller;
import io.idem.spi.Stages;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Sends calls in one flush. A call goes by the digest of its script, and by the text where Redis does not know the
 * digest.
 */
public record PlainScripts(RedisCaller redis, Keys keys) implements ScriptTransport {

    @Override
    public List<CompletableFuture<List<ScriptReply>>> send(List<ScriptCall> calls) {
        List<CompletableFuture<List<Object>>> answers = redis.sendAll(
                calls, calls.stream().map(call -> call.command(keys)).toList());
        List<CompletableFuture<List<ScriptReply>>> replies = new ArrayList<>(calls.size());
        for (ScriptCall call : calls) {
            replies.add(Stages.compose(
                    answers.get(replies.size()),
                    (answer, failure) -> failure == null
                            ? CompletableFuture.completedFuture(call.replies(answer))
                            : call.after(failure).map(this::send).orElseGet(() -> Stages.failed(failure))));
        }
        return replies;
    }

    /** Sends one call. */
    public CompletableFuture<List<ScriptReply>> send(ScriptCall call) {
        return send(List.of(call)).get(0);
    }

    @Override
    public void close() {
        redis.close();
    }
}
