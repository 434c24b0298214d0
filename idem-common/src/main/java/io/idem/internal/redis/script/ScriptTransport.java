package io.idem.internal.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A way to send calls of scripts to Redis. Thread-safe; does not block. */
public interface ScriptTransport extends AutoCloseable {

    /** Sends calls and returns the replies to the records of each, in the order of the calls. */
    List<CompletableFuture<List<ScriptReply>>> send(List<ScriptCall> calls);

    @Override
    void close();
}
