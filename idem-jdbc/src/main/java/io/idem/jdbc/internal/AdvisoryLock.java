package io.idem.jdbc.internal;

import io.idem.RecordId;
import io.idem.internal.value.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The number of the lock that a PostgreSQL session holds while it works on a record: the first 64 bits of SHA-256 over
 * "idem", the key id and the scope, separated by line feeds. The claim combines it with the number of the table, because
 * a database may have an inbox in each of several schemas. Every version must compute it alike.
 */
public final class AdvisoryLock {

    private AdvisoryLock() {}

    public static long number(RecordId record) {
        String name = "idem\n" + record.key().id() + "\n" + record.scope().name();
        byte[] digest = Sha256.digest().digest(name.getBytes(StandardCharsets.US_ASCII));
        return ByteBuffer.wrap(digest).getLong();
    }
}
