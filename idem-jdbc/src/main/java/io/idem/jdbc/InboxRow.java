package io.idem.jdbc;

import io.idem.spi.Inbox.Effect;
import io.idem.spi.Lease;

/**
 * What a committed row says.
 *
 * @param owner token of the attempt that wrote it, in hexadecimal digits; empty in rows of the first version
 */
record InboxRow(String owner, Effect effect) {

    boolean writtenUnder(Lease lease) {
        return owner.equals(lease.owner().toString());
    }
}
