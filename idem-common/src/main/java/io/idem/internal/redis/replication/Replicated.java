package io.idem.internal.redis.replication;

import io.idem.internal.redis.script.ScriptReply;
import java.util.List;

/** Reply of a script, with the replicas' confirmation of its write. */
record Replicated(ScriptReply reply, ReplicaConfirmation confirmation) {

    static Replicated of(List<Object> replies, ReplicaConfirmation confirmation) {
        return new Replicated(ScriptReply.each(replies, 1).get(0), confirmation);
    }

    /** Whether the script wrote something; then it must be confirmed. */
    boolean wrote() {
        return granted() || reply.word().equals("OK");
    }

    /** Whether the script gave the right to work. */
    boolean granted() {
        return reply.isNumber() || reply.word().equals("GRANTED");
    }
}
