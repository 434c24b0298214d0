package io.idem.consumer.internal.call;

import io.idem.ResultCodec;
import io.idem.ResultCodecException;
import io.idem.StoredResult;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;

/**
 * Replies of type {@link Message}: the headers, the kind of the payload (text, bytes or another object), and the
 * payload as the application's codec wrote it, with that codec's name. Text and bytes are read back as such, another
 * payload as the type that the method declares. Thread-safe.
 */
public final class MessageReply implements ReplyForm {

    /** Name under which such replies are stored. */
    public static final String CODEC = "message.1";

    private static final int TEXT = 'S';
    private static final int BYTES = 'X';
    private static final int OTHER = 'O';

    @Override
    public String name() {
        return CODEC;
    }

    @Override
    public boolean isOf(Object value) {
        return value instanceof Message<?>;
    }

    @Override
    public void write(Object message, ResultCodec payloads, DataOutputStream out) throws IOException {
        Message<?> reply = (Message<?>) message;
        Object payload = reply.getPayload();
        StoredResult stored = payloads.encode(payload);
        ReplyHeaders.write(reply.getHeaders(), out);
        out.writeByte(kind(payload));
        out.writeByte(stored.codec().length());
        out.write(stored.codec().getBytes(StandardCharsets.US_ASCII));
        out.write(stored.content());
    }

    private static int kind(Object payload) {
        if (payload instanceof byte[]) {
            return BYTES;
        }
        return payload instanceof String ? TEXT : OTHER;
    }

    @Override
    public Object read(DataInputStream in, Type type, ResultCodec payloads) throws IOException {
        Map<String, Object> headers = ReplyHeaders.read(in);
        int kind = in.readUnsignedByte();
        String codec = new String(in.readNBytes(in.readUnsignedByte()), StandardCharsets.US_ASCII);
        Object payload = payloads.decode(StoredResult.of(codec, in.readAllBytes()), payloadType(kind, type));
        if (payload == null) {
            throw new ResultCodecException("A stored reply has a payload that is read as nothing");
        }
        return new GenericMessage<>(payload, headers);
    }

    private static Type payloadType(int kind, Type declared) {
        return switch (kind) {
            case TEXT -> String.class;
            case BYTES -> byte[].class;
            default ->
                declared instanceof ParameterizedType message
                        ? bound(message.getActualTypeArguments()[0])
                        : Object.class;
        };
    }

    private static Type bound(Type argument) {
        return argument instanceof WildcardType wildcard ? wildcard.getUpperBounds()[0] : argument;
    }
}
