package io.idem.redis;

import java.util.List;

/** What a script answered, and how far its write had spread before the answer was passed on. */
record Gated(ScriptReply reply, Confirmation confirmation) {

    @SuppressWarnings("unchecked") // A script answers an array for each record.
    static Gated of(List<Object> replies, Confirmation confirmation) {
        return new Gated(new ScriptReply((List<Object>) replies.get(0)), confirmation);
    }

    /** Whether the script wrote something; then it must be confirmed. */
    boolean wrote() {
        return reply.word().equals("GRANTED") || reply.word().equals("OK");
    }
}
