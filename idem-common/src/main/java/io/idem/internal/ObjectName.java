package io.idem.internal;

import io.idem.Lease;
import java.time.Instant;
import java.util.HexFormat;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of objects: {@code <scope>/<first 2 of the key id>/<key id>.<fence>.<digest>-<second of expiry>}. The digest
 * gives different contents different names, since fences can repeat after a loss of records or while an inbox decides
 * alone. There are at most 4,096 folders per scope.
 */
public final class ObjectName {

    private static final Pattern SAFE =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final Pattern EXPIRY = Pattern.compile(".*-([0-9]{1,18})");
    private static final int LONGEST = 200;
    private static final int DIGEST_BYTES = 8;

    private ObjectName() {}

    public static String of(Lease lease, byte[] digest, Instant expiry) {
        String id = lease.record().key().id();
        return lease.record().scope().name() + "/" + id.substring(0, 2) + "/" + id + "." + lease.fence() + "."
                + HexFormat.of().formatHex(digest, 0, DIGEST_BYTES) + "-" + expiry.getEpochSecond();
    }

    /** Returns whether a text is a valid name; a name read from a record may be forged. */
    public static boolean valid(String name) {
        return name.length() <= LONGEST && SAFE.matcher(name).matches();
    }

    /** Returns the second since 1970 after which the object is no longer needed. */
    public static OptionalLong expiry(String name) {
        Matcher matcher = EXPIRY.matcher(name);
        return matcher.matches() ? OptionalLong.of(Long.parseLong(matcher.group(1))) : OptionalLong.empty();
    }
}
