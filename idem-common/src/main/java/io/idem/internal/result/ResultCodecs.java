package io.idem.internal.result;

import static io.idem.internal.value.Arguments.require;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import io.idem.internal.ComparedResults;
import io.idem.json.JacksonResultCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Combines several codecs: writes with one of them and reads with the one whose name a result carries, so that results
 * survive a change of codec. What earlier versions stored with Jackson 2 is read by the codec {@value JacksonResultCodec#CODEC},
 * unless a codec has that name. Immutable; as thread-safe as its codecs.
 */
public final class ResultCodecs implements ResultCodec, ComparedResults {

    private final Map<String, ResultCodec> byName = new TreeMap<>();
    private final ResultCodec writer;

    /**
     * Combines codecs of different names.
     *
     * @param writer the name of the codec that writes
     * @throws IllegalArgumentException if it is not among them, a name is used twice, or is reserved for idem
     */
    public ResultCodecs(List<? extends ResultCodec> codecs, String writer) {
        codecs.forEach(this::add);
        ResultCodec chosen = byName.get(writer);
        if (chosen == null) {
            throw new IllegalArgumentException("There is no codec \"" + writer + "\"; known are " + byName.keySet());
        }
        this.writer = chosen;
        ResultCodec json = byName.get(JacksonResultCodec.CODEC);
        if (json != null) {
            byName.putIfAbsent(JacksonResultCodec.JACKSON_2, json);
        }
    }

    private void add(ResultCodec codec) {
        require(
                !codec.name().startsWith(StoredResult.RESERVED_PREFIX),
                "Codec " + codec.getClass().getName() + " is named \"" + codec.name() + "\"; names that start with \""
                        + StoredResult.RESERVED_PREFIX + "\" are idem's own");
        ResultCodec other = byName.putIfAbsent(codec.name(), codec);
        if (other != null) {
            throw new IllegalArgumentException("Codecs " + other.getClass().getName() + " and "
                    + codec.getClass().getName() + " are both named \"" + codec.name() + "\"; rename one of them");
        }
    }

    /** Returns the name of the codec that writes. */
    @Override
    public String name() {
        return writer.name();
    }

    @Override
    public StoredResult encode(@Nullable Object value) {
        return writer.encode(value);
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        if (result.equals(StoredResult.NONE) || type == void.class || type == Void.class) {
            return null;
        }
        ResultCodec reader = byName.get(result.codec());
        if (reader == null) {
            throw new ResultCodecException(
                    "A stored result was written by codec \"" + result.codec()
                            + "\", and known here are only " + byName.keySet()
                            + (result.codec().startsWith(StoredResult.RESERVED_PREFIX)
                                    ? "; configure idem.result.encryption and idem.result.offload as where it was written; the log says more"
                                    : "; keep a codec of that name, as a bean or by its library on the class path, until the retention of what it wrote has passed"));
        }
        return reader.decode(result, type);
    }

    @Override
    public boolean same(StoredResult first, StoredResult again, @Nullable Object read) {
        return ComparedResults.same(writer, first, again, read);
    }
}
