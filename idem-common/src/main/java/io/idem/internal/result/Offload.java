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
import java.util.Optional;
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

    @Override
    public String codec() {
        return CODEC;
    }

    @Override
    public StoredResult wrap(Lease lease, StoredResult result, Shortened shortened) {
        if (result.size() <= above) {
            return result;
        }
        byte[] object = Frame.of(result);
        byte[] digest = Sha256.digest().digest(object);
        Instant expiry = clock.instant().plus(lease.retention()).plus(grace);
        String name = ObjectName.of(lease, digest, expiry);
        storage.put(name, object);
        return StoredResult.of(CODEC, Frame.of(name, digest, Frame.of(shortened.packed())));
    }

    @Override
    public Handled unwrap(RecordId record, StoredResult wrapped) {
        ByteBuffer in = ByteBuffer.wrap(wrapped.content());
        String name = Frame.text(in);
        byte[] digest = Frame.bytes(in, DIGEST_SIZE);
        StoredResult rest = Frame.read(Frame.bytes(in, in.remaining()));
        Optional<byte[]> object = ObjectName.valid(name)
                ? Layer.fetched("The result of " + record, () -> storage.get(name))
                : Optional.empty();
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
     * Returns the name of the object of a result as its record keeps it; empty if the result is in the record itself.
     */
    static Optional<String> objectOf(StoredResult kept) {
        return kept.codec().equals(CODEC)
                ? Optional.of(Frame.text(ByteBuffer.wrap(kept.content()))).filter(ObjectName::valid)
                : Optional.empty();
    }
}
