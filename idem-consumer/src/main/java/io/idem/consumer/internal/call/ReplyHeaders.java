package io.idem.consumer.internal.call;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.MessageHeaders;
import org.springframework.util.MimeType;

/**
 * Format of the headers of a stored reply: their number, and each one's name, {@linkplain HeaderKind kind} and value.
 * Numbers have the size of their type, high byte first; texts are UTF-8 and have their length (4 bytes) in front.
 * Headers of one delivery are left out: identity and timestamp of the message object, the correlation, and objects such
 * as a channel or an acknowledgment.
 */
final class ReplyHeaders {

    private static final Logger LOG = LoggerFactory.getLogger(ReplyHeaders.class);

    /** Named by text, since the transports may be absent. */
    private static final Set<String> OF_ONE_DELIVERY =
            Set.of(MessageHeaders.ID, MessageHeaders.TIMESTAMP, "kafka_correlationId", "amqp_correlationId");

    private static final Set<String> CHANNELS = Set.of(MessageHeaders.REPLY_CHANNEL, MessageHeaders.ERROR_CHANNEL);
    private static final int DEEPEST = 10;

    private ReplyHeaders() {}

    static void write(Map<String, Object> headers, DataOutputStream out) throws IOException {
        Map<String, Object> kept = new LinkedHashMap<>();
        headers.forEach((name, value) -> {
            Object storable = value instanceof MimeType type ? type.toString() : value;
            if (isKept(name, storable)) {
                kept.put(name, storable);
            }
        });
        writeMap(kept, out);
    }

    private static boolean isKept(String name, Object value) {
        if (OF_ONE_DELIVERY.contains(name)) {
            return false;
        }
        boolean storable = isStorable(value, 0);
        boolean ofTransport = name.startsWith("kafka_") || name.startsWith("amqp_");
        if (!storable && (ofTransport || CHANNELS.contains(name))) {
            LOG.debug("Header \"{}\" of a reply is an object of its delivery and is not stored", name);
        } else if (!storable) {
            LOG.warn(
                    "Header \"{}\" of a reply is a {}, which cannot be stored: duplicates are answered without it. Use a text, a number, a"
                            + " boolean, bytes, a date, a UUID, or a list or map of those",
                    name,
                    value.getClass().getName());
        }
        return storable;
    }

    private static boolean isStorable(@Nullable Object value, int depth) {
        if (value instanceof List<?> list) {
            return depth < DEEPEST && list.stream().allMatch(each -> isStorable(each, depth + 1));
        }
        if (value instanceof Map<?, ?> map) {
            return depth < DEEPEST
                    && map.keySet().stream().allMatch(String.class::isInstance)
                    && map.values().stream().allMatch(each -> isStorable(each, depth + 1));
        }
        return value == null || HeaderKind.of(value).isPresent();
    }

    private static void writeMap(Map<?, ?> map, DataOutputStream out) throws IOException {
        out.writeInt(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            HeaderKind.writeText((String) entry.getKey(), out);
            writeValue(entry.getValue(), out);
        }
    }

    private static void writeValue(@Nullable Object value, DataOutputStream out) throws IOException {
        if (value == null) {
            out.writeByte('0');
        } else if (value instanceof List<?> list) {
            out.writeByte('L');
            out.writeInt(list.size());
            for (Object each : list) {
                writeValue(each, out);
            }
        } else if (value instanceof Map<?, ?> map) {
            out.writeByte('M');
            writeMap(map, out);
        } else {
            HeaderKind.of(value).orElseThrow().write(value, out);
        }
    }

    static Map<String, Object> read(DataInputStream in) throws IOException {
        Map<String, Object> headers = new LinkedHashMap<>();
        readMap(in).forEach((name, value) -> {
            if (value != null) {
                headers.put(name, value);
            }
        });
        return headers;
    }

    private static Map<String, @Nullable Object> readMap(DataInputStream in) throws IOException {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            map.put(HeaderKind.readText(in), readValue(in));
        }
        return map;
    }

    private static @Nullable Object readValue(DataInputStream in) throws IOException {
        int letter = in.readUnsignedByte();
        return switch (letter) {
            case '0' -> null;
            case 'L' -> readList(in);
            case 'M' -> readMap(in);
            default -> HeaderKind.named(letter).read(in);
        };
    }

    private static List<@Nullable Object> readList(DataInputStream in) throws IOException {
        List<@Nullable Object> list = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            list.add(readValue(in));
        }
        return list;
    }
}
