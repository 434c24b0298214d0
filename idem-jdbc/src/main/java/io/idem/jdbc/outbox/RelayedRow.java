package io.idem.jdbc.outbox;

import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import java.util.List;
import java.util.stream.Stream;

/**
 * A committed row whose messages are still to be sent.
 *
 * @param table the table in which the row is
 * @param owner the token of the attempt that wrote the row, which distinguishes it from a later row in its place
 * @param messages none if this version cannot read them
 */
record RelayedRow(RelayRows table, String keyId, String scope, OwnerToken owner, List<OutgoingMessage> messages) {

    RelayedRow {
        messages = List.copyOf(messages);
    }

    /** Returns the destinations of the messages. */
    Stream<String> destinations() {
        return messages.stream().map(RelayedRow::destination);
    }

    static String destination(OutgoingMessage message) {
        return message.transport() + ":" + message.destination();
    }

    /** Returns what tells the row from all others. */
    String id() {
        return keyId + ":" + scope + ":" + owner + table.ofTenant();
    }

    /** Returns key, scope and tenant, but never the messages, which may be confidential. */
    @Override
    public String toString() {
        return "row " + keyId + ":" + scope + table.ofTenant();
    }
}
