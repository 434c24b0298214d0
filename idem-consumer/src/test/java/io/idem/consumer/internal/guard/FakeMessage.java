package io.idem.consumer.internal.guard;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.IdempotencyHeaders;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A message of no broker. */
public final class FakeMessage implements DeliveredMessage {

    private final Map<String, List<@Nullable Object>> headers = new HashMap<>();
    private @Nullable Object messageId;
    private @Nullable Object body;
    private @Nullable Object contentType;
    private @Nullable String position;
    private boolean stopping;

    public static FakeMessage withKey(String key) {
        return new FakeMessage().with(IdempotencyHeaders.KEY, key);
    }

    public FakeMessage with(String name, @Nullable Object... values) {
        headers.put(name, Collections.unmodifiableList(Arrays.asList(values)));
        return this;
    }

    public FakeMessage withMessageId(Object id) {
        messageId = id;
        return this;
    }

    public FakeMessage withBody(@Nullable Object value) {
        body = value;
        return this;
    }

    public FakeMessage ofType(String type) {
        contentType = type;
        return this;
    }

    public FakeMessage at(String place) {
        position = place;
        return this;
    }

    public FakeMessage whileStopping() {
        stopping = true;
        return this;
    }

    @Override
    public String transport() {
        return "fake";
    }

    @Override
    public String origin() {
        return "queue";
    }

    @Override
    public List<@Nullable Object> header(String name) {
        return headers.getOrDefault(name, List.of());
    }

    @Override
    public @Nullable Object messageId() {
        return messageId;
    }

    @Override
    public @Nullable String position() {
        return position;
    }

    @Override
    public @Nullable Object body() {
        return body;
    }

    @Override
    public @Nullable Object contentType() {
        return contentType;
    }

    @Override
    public Object source() {
        return "the transport's own";
    }

    @Override
    public boolean stopping() {
        return stopping;
    }

    @Override
    public String toString() {
        return "message 1 of queue";
    }
}
