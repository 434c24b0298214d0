package io.idem.internal.redis.replication;

import io.idem.internal.redis.script.ScriptReply;
import java.util.List;

/** The reply of a script with the replicas' confirmation of its write. */
record Replicated(ScriptReply reply, ReplicaConfirmation confirmation) {

    static Replicated of(List<Object> replies, ReplicaConfirmation confirmation) {
        return new Replicated(ScriptReply.each(replies, 1).get(0), confirmation);
    }

    /** Returns whether the script wrote something, so that it must be confirmed. */
    boolean wrote() {
        return granted() || reply.word().equals("OK");
    }

    /** Returns whether the script granted a lease. */
    boolean granted() {
        return reply.isNumber() || reply.word().equals("GRANTED");
    }
}
