package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultCodecException;
import io.idem.ResultLoss;
import io.idem.StoredResult;
import io.idem.result.ResultKeyProvider;
import io.idem.result.ResultLimits;
import io.idem.result.ResultLimits.TooLarge;
import io.idem.spi.ResultPipeline;
import java.nio.BufferUnderflowException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pipeline of results: limit, compress, encrypt and offload; reading reverses the steps that the bytes name.
 * Immutable and thread-safe; blocks where its storage or its keys do.
 */
public final class LayeredResults implements ResultPipeline {

    private static final Logger LOG = LoggerFactory.getLogger(LayeredResults.class);

    private final ResultLimits limits;
    private final List<Layer> inRecord;
    private final Map<String, Layer> all;
    private final boolean encryptedOnly;

    /**
     * Creates layers that limit and compress, and may encrypt and offload what was compressed.
     *
     * @param keys encrypt; null for plain results
     * @param encryptedOnly whether only encrypted results are replayed: a plain one counts as {@link ResultLoss#NOT_ENCRYPTED}.
     *     False for one retention after encryption was switched on
     * @param offload keeps large results elsewhere; null if records keep all
     */
    public LayeredResults(
            ResultLimits limits, @Nullable ResultKeyProvider keys, boolean encryptedOnly, @Nullable Offload offload) {
        this.limits = limits;
        this.encryptedOnly = encryptedOnly;
        Map<String, Layer> layers = new LinkedHashMap<>();
        layers.put(Deflation.CODEC, new Deflation(limits.compressAbove(), limits.mostInflated()));
        if (keys != null) {
            layers.put(Encryption.CODEC, new Encryption(keys, new SecureRandom()));
        }
        this.inRecord = List.copyOf(layers.values());
        if (offload != null) {
            layers.put(Offload.CODEC, offload);
        }
        this.all = layers;
    }

    @Override
    public Handled pack(Lease lease, StoredResult result, StoredResult shortened) {
        if (result.size() <= limits.maxSize()) {
            return Handled.whole(wrap(all.values(), lease, result, shortened));
        }
        String complaint = "The result of " + lease.record() + " has " + result.size()
                + " bytes, idem.result.max-size is " + limits.maxSize();
        if (limits.whenTooLarge() == TooLarge.FAIL) {
            throw new ResultCodecException(
                    complaint + "; return less, raise the limit, or let the ResultLimits bean omit such results");
        }
        LOG.warn("{}: its work counts as done and duplicates are answered without it", complaint);
        return Handled.without(ResultLoss.TOO_LARGE, packShortened(lease, shortened));
    }

    private StoredResult wrap(Collection<Layer> layers, Lease lease, StoredResult result, StoredResult shortened) {
        StoredResult wrapped = result;
        for (Layer layer : layers) {
            wrapped = layer.wrap(lease, wrapped, () -> packShortened(lease, shortened));
        }
        return wrapped;
    }

    @Override
    public StoredResult packShortened(Lease lease, StoredResult shortened) {
        if (shortened.size() > limits.maxSize()) {
            return StoredResult.OMITTED;
        }
        try {
            return wrap(inRecord, lease, shortened, StoredResult.OMITTED);
        } catch (RuntimeException unfit) {
            LOG.warn("Nothing is kept of the result of {}: {}", lease.record(), unfit.getMessage(), unfit);
            return StoredResult.OMITTED;
        }
    }

    @Override
    public Handled unpack(RecordId record, StoredResult kept) {
        Handled handled = Handled.whole(kept);
        boolean encrypted = false;
        for (int depth = 0; depth <= all.size() && wrapped(handled); depth++) {
            encrypted |= handled.result().codec().equals(Encryption.CODEC);
            handled = unwrap(record, handled);
        }
        if (wrapped(handled)) {
            return unreadable(record, handled.result());
        }
        return encryptedOnly && !encrypted && hasContent(handled) ? notEncrypted(record) : handled;
    }

    /** Returns whether there is content that could be forged. Work without a result needs no key. */
    private static boolean hasContent(Handled handled) {
        return !handled.result().equals(StoredResult.NONE) && isReadable(handled);
    }

    private static boolean isReadable(Handled handled) {
        return !handled.result().equals(StoredResult.OMITTED)
                && handled.loss().filter(ResultLoss.UNREADABLE::equals).isEmpty();
    }

    private static Handled notEncrypted(RecordId record) {
        LOG.warn(
                "The result of {} is not encrypted, and only encrypted ones are replayed: duplicates are answered without it. It was stored"
                        + " before encryption was switched on (then set idem.result.encryption.accept-plain=true for one retention), or it is forged",
                record);
        return Handled.without(ResultLoss.NOT_ENCRYPTED, StoredResult.OMITTED);
    }

    /**
     * Returns whether a layer of this or a newer version has wrapped the result, and it is not yet known to be
     * unreadable.
     */
    private static boolean wrapped(Handled handled) {
        return handled.result().codec().startsWith(StoredResult.RESERVED_PREFIX) && isReadable(handled);
    }

    private Handled unwrap(RecordId record, Handled outer) {
        StoredResult result = outer.result();
        try {
            Layer layer = all.get(result.codec());
            Handled inner = layer == null ? unreadable(record, result) : layer.unwrap(record, result);
            return inner.loss().isPresent() ? inner : new Handled(inner.result(), outer.loss());
        } catch (BufferUnderflowException | IllegalArgumentException damaged) {
            return unreadable(record, result);
        }
    }

    private static Handled unreadable(RecordId record, StoredResult result) {
        LOG.error(
                "The result of {} is kept as \"{}\", which cannot be read here. Configure the parts that wrote it (idem.result.encryption,"
                        + " idem.result.offload), or upgrade idem if a newer version did",
                record,
                result.codec());
        return Handled.without(ResultLoss.UNREADABLE, result);
    }
}
