package io.idem.jdbc.internal;

import io.idem.Inbox.Effect;
import io.idem.Lease;

/**
 * The content of a committed row.
 *
 * @param owner the token of the attempt that wrote it, in hexadecimal digits; empty in rows of the first version
 */
public record InboxRow(String owner, Effect effect) {

    public boolean writtenUnder(Lease lease) {
        return owner.equals(lease.owner().toString());
    }
}
