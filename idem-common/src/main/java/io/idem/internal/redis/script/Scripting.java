package io.idem.internal.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A way to run scripts on records. Thread-safe; does not block. */
public interface Scripting {

    /** Runs lines and returns what is read from the reply to each, in their order. A record may occur only once. */
    <A> List<CompletableFuture<A>> run(List<ScriptArguments> lines, ReplyReading<A> reading);

    /** Runs one line and returns its reply. */
    default CompletableFuture<ScriptReply> run(ScriptArguments line) {
        return this.<ScriptReply>run(List.of(line), (position, reply) -> reply).get(0);
    }
}
