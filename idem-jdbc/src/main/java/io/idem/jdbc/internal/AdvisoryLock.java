package io.idem.jdbc.internal;

import io.idem.RecordId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The number of the lock that a PostgreSQL session holds while it works on a record: the first 64 bits of SHA-256 over
 * "idem", the key id and the scope, separated by line feeds. The claim combines it with the number of the table, because
 * a database may have an inbox in each of several schemas. Every version must compute it alike.
 */
final class AdvisoryLock {

    private AdvisoryLock() {}

    static long number(RecordId record) {
        String name = "idem\n" + record.key().id() + "\n" + record.scope().name();
        return ByteBuffer.wrap(sha256().digest(name.getBytes(StandardCharsets.US_ASCII)))
                .getLong();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
