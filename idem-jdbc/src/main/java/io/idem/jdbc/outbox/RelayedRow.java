package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import java.util.List;

/**
 * A committed row whose messages are still to be sent.
 *
 * @param fence of the row, so that one that took its place is not meant
 */
record RelayedRow(String keyId, String scope, long fence, List<OutgoingMessage> messages) {

    RelayedRow {
        messages = List.copyOf(messages);
    }

    /** Whose messages they are; never the messages, which may be confidential. */
    @Override
    public String toString() {
        return "row " + keyId + ":" + scope;
    }
}
