package io.idem.internal.redis.replication;

import io.idem.internal.redis.script.ScriptReply;

/** The reply of a script with the replicas' confirmation of its write. */
record Replicated(ScriptReply reply, ReplicaConfirmation confirmation) {

    /** Returns whether the script wrote something, so that it must be confirmed. */
    boolean wrote() {
        return granted() || reply.word().equals("OK");
    }

    /** Returns whether the script granted a lease. */
    boolean granted() {
        return reply.isNumber() || reply.word().equals("GRANTED");
    }
}
