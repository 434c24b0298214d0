package io.idem.consumer.internal.call;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The application's codec, for listeners: replies that are whole messages are stored with their headers, everything
 * else as the application's codec stores it. Several messages in one reply are not kept. Thread-safe.
 *
 * @param payloads the application's codec
 * @param forms the kinds of messages that are known
 */
public record ReplyCodec(ResultCodec payloads, List<ReplyForm> forms) implements ResultCodec {

    @Override
    public String name() {
        return payloads.name();
    }

    @Override
    public StoredResult encode(@Nullable Object value) {
        Optional<ReplyForm> form = value == null
                ? Optional.empty()
                : forms.stream().filter(one -> one.isOf(value)).findFirst();
        if (value instanceof Collection<?> several && several.stream().anyMatch(one -> isMessage(one))) {
            return StoredResult.OMITTED;
        }
        return form.isPresent() && value != null ? written(form.get(), value) : payloads.encode(value);
    }

    private boolean isMessage(@Nullable Object value) {
        return value != null && forms.stream().anyMatch(form -> form.isOf(value));
    }

    private StoredResult written(ReplyForm form, Object message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            form.write(message, payloads, out);
        } catch (IOException | RuntimeException unfit) {
            throw failure(unfit, "A reply of " + message.getClass().getName() + " cannot be stored: ");
        }
        return StoredResult.of(form.name(), bytes.toByteArray());
    }

    @Override
    public @Nullable Object decode(StoredResult result, Type type) {
        Optional<ReplyForm> form =
                forms.stream().filter(one -> one.name().equals(result.codec())).findFirst();
        return form.isPresent() ? read(form.get(), result, type) : payloads.decode(result, type);
    }

    private Object read(ReplyForm form, StoredResult result, Type type) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(result.content()))) {
            return form.read(in, type, payloads);
        } catch (IOException | RuntimeException unreadable) {
            throw failure(unreadable, "A stored reply of codec \"" + form.name() + "\" cannot be read: ");
        }
    }

    private static ResultCodecException failure(Exception cause, String what) {
        return cause instanceof ResultCodecException known
                ? known
                : new ResultCodecException(what + cause.getMessage(), cause);
    }
}
