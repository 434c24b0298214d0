package io.idem.workshop.simulation.world;

import io.idem.ResultCodec;
import io.idem.StoredResult;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A codec for results that are text. */
final class TextCodec implements ResultCodec {

    @Override
    public String name() {
        return "text";
    }

    @Override
    public StoredResult encode(@Nullable Object value) {
        return value == null
                ? StoredResult.NONE
                : StoredResult.of(name(), value.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        return new String(result.content(), StandardCharsets.UTF_8);
    }
}
