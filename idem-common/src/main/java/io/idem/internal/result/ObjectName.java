package io.idem.internal.result;

import io.idem.Lease;
import java.time.Instant;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Names of objects: {@code <scope>/<first 2 of the key id>/<key id>.<fence>.<digest>-<second of expiry>}. The digest
 * gives different contents different names, since fences can repeat after a loss of records. There are at most 4,096
 * folders per scope.
 */
final class ObjectName {

    private static final Pattern SAFE =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final int LONGEST = 200;
    private static final int DIGEST_BYTES = 8;

    private ObjectName() {}

    static String of(Lease lease, byte[] digest, Instant expiry) {
        String id = lease.record().key().id();
        return lease.record().scope().name() + "/" + id.substring(0, 2) + "/" + id + "." + lease.fence() + "."
                + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES) + "-" + expiry.getEpochSecond();
    }

    /** Returns whether a text is a valid name; a name read from a record may be forged. */
    static boolean valid(String name) {
        return name.length() <= LONGEST && SAFE.matcher(name).matches();
    }
}
