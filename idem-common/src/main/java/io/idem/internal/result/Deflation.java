package io.idem.internal.result;

import io.idem.Lease;
import io.idem.RecordId;
import io.idem.ResultLoss;
import io.idem.StoredResult;
import io.idem.internal.Frame;
import io.idem.spi.ResultPipeline.Handled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/**
 * Compresses results above a size, in the zlib format of RFC 1950. A result that does not become smaller stays as it
 * is.
 *
 * @param above the size in bytes of a result; {@link Long#MAX_VALUE} only to read compressed results
 * @param mostInflated the size in bytes above which a decompressed result is refused as an attempt to exhaust the
 *     memory
 */
record Deflation(long above, int mostInflated) implements Layer {

    static final String CODEC = StoredResult.RESERVED_PREFIX + "zlib";

    @Override
    public StoredResult wrap(Lease lease, StoredResult result, Supplier<StoredResult> shortened) {
        if (result.size() <= above) {
            return result;
        }
        byte[] frame = Frame.of(result);
        byte[] deflated = deflate(frame);
        return deflated.length < frame.length ? StoredResult.of(CODEC, deflated) : result;
    }

    private static byte[] deflate(byte[] frame) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(frame.length / 2);
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(out)) {
            deflater.write(frame);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    @Override
    public Handled unwrap(RecordId record, StoredResult wrapped) {
        try (InputStream inflater = new InflaterInputStream(new ByteArrayInputStream(wrapped.content()))) {
            byte[] frame = inflater.readNBytes(mostInflated + 1);
            return frame.length > mostInflated
                    ? Handled.without(ResultLoss.UNREADABLE, wrapped)
                    : Handled.whole(Frame.read(frame));
        } catch (IOException damaged) {
            return Handled.without(ResultLoss.UNREADABLE, wrapped);
        }
    }
}
