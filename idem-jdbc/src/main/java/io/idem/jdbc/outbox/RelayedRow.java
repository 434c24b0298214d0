package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import java.util.List;

/**
 * A committed row whose messages are still to be sent.
 *
 * @param fence the fence of the row, which distinguishes it from a later row in its place
 */
record RelayedRow(String keyId, String scope, long fence, List<OutgoingMessage> messages) {

    RelayedRow {
        messages = List.copyOf(messages);
    }

    /** Returns key and scope, but never the messages, which may be confidential. */
    @Override
    public String toString() {
        return "row " + keyId + ":" + scope;
    }
}
