package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultLoss;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.internal.value.Sha256;
import io.idem.result.ResultStorage;
import io.idem.spi.ResultPipeline.Handled;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes results above a size to a storage. The record keeps the name and digest of the object, and the short form that
 * answers duplicates if the object is gone. Layout: length of the name 1, the name, SHA-256 of the object 32, the
 * framed short form to the end.
 *
 * @param above the size in bytes of a result as it is kept
 * @param grace the time for which objects outlive the retention of their record, counted from their creation
 */
public record Offload(ResultStorage storage, long above, Duration grace, InstantSource clock) implements Layer {

    static final String CODEC = StoredResult.RESERVED_PREFIX + "offload";

    private static final Logger LOG = LoggerFactory.getLogger(Offload.class);
    private static final int DIGEST_SIZE = 32;
    private static final Pattern NAME =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*");
    private static final int LONGEST_NAME = 200;
    private static final int DIGEST_IN_NAME = 8;

    @Override
    public StoredResult wrap(Lease lease, StoredResult result, Supplier<StoredResult> shortened) {
        if (result.size() <= above) {
            return result;
        }
        byte[] object = Frame.of(result);
        byte[] digest = Sha256.digest().digest(object);
        String name = name(lease, digest);
        storage.put(name, object);
        return StoredResult.of(CODEC, Frame.of(name, digest, Frame.of(shortened.get())));
    }

    @Override
    public Handled unwrap(RecordId record, StoredResult wrapped) {
        ByteBuffer in = ByteBuffer.wrap(wrapped.content());
        String name = Frame.text(in);
        byte[] digest = Frame.bytes(in, DIGEST_SIZE);
        StoredResult rest = Frame.read(Frame.bytes(in, in.remaining()));
        Optional<byte[]> object =
                isName(name) ? Layer.fetched("The result of " + record, () -> storage.get(name)) : Optional.empty();
        if (object.isEmpty() || !MessageDigest.isEqual(digest, Sha256.digest().digest(object.get()))) {
            LOG.warn(
                    "The result of {} is not in its storage any more, or was changed there (object \"{}\"): duplicates are answered"
                            + " without it",
                    record,
                    name);
            return Handled.without(ResultLoss.GONE, rest);
        }
        return Handled.whole(Frame.read(object.get()));
    }

    /**
     * Returns the name of an object: {@code <scope>/<first 2 of the key id>/<key id>.<fence>.<digest>-<second of expiry>}.
     * The digest gives different contents different names, since fences can repeat after a loss of records. There are at
     * most 4,096 folders per scope.
     */
    private String name(Lease lease, byte[] digest) {
        String id = lease.record().key().id();
        Instant expiry = clock.instant().plus(lease.retention()).plus(grace);
        return lease.record().scope().name() + "/" + id.substring(0, 2) + "/" + id + "." + lease.fence() + "."
                + HexFormat.of().formatHex(digest, 0, DIGEST_IN_NAME) + "-" + expiry.getEpochSecond();
    }

    /** Returns whether a text is a valid name; a name read from a record may be forged. */
    private static boolean isName(String text) {
        return text.length() <= LONGEST_NAME && NAME.matcher(text).matches();
    }

    /** Returns what removes the object of a result as its record keeps it, if the result has one. */
    public static Consumer<StoredResult> removing(ResultStorage storage) {
        return kept -> {
            if (kept.codec().equals(CODEC)) {
                Optional.of(Frame.text(ByteBuffer.wrap(kept.content())))
                        .filter(Offload::isName)
                        .ifPresent(storage::delete);
            }
        };
    }
}
