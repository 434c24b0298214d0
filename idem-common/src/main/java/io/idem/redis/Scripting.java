package io.idem.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A way to run scripts on records. */
interface Scripting {

    /** The reply to each line, in their order. A record may come once only. */
    List<CompletableFuture<ScriptReply>> run(List<ScriptLine> lines);
}
