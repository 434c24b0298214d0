package io.idem.internal.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A way to run scripts on records. */
public interface Scripting {

    /** What is read from the reply to each line, in their order. A record may come once only. */
    <A> List<CompletableFuture<A>> run(List<ScriptArguments> lines, ReplyReading<A> reading);

    /** The reply to one line. */
    default CompletableFuture<ScriptReply> run(ScriptArguments line) {
        return this.<ScriptReply>run(List.of(line), (position, reply) -> reply).get(0);
    }
}
