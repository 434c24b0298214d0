package io.idem.workshop.simulation.world;

import io.idem.consumer.DeliveredMessage;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/** A record of the log in the form that the library's decision code uses. */
record LogRecord(Message source, int offset) implements DeliveredMessage {

    @Override
    public String transport() {
        return "log";
    }

    @Override
    public String origin() {
        return "payments";
    }

    @Override
    public List<@Nullable Object> header(String name) {
        Object value = source.getMessageProperties().getHeaders().get(name);
        return value == null ? List.of() : List.of(value);
    }

    @Override
    public @Nullable Object messageId() {
        return null;
    }

    @Override
    public @Nullable String position() {
        return "payments@" + offset;
    }

    @Override
    public Object body() {
        return source.getBody();
    }

    @Override
    public @Nullable Object contentType() {
        return null;
    }

    @Override
    public boolean stopping() {
        return false;
    }
}
