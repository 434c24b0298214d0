package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.LongString;
import io.idem.IdempotencyKey;
import io.idem.consumer.DeliveredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;

/**
 * An AMQP 0-9-1 message. Its header table has each name once, but may have it in several spellings.
 *
 * @param tenant of the message by its origin
 */
public record RabbitDelivery(Message source, BooleanSupplier stop, String tenant) implements DeliveredMessage {

    public static final String TRANSPORT = "rabbit";

    /** Makes a message of the default tenant. */
    public RabbitDelivery(Message source, BooleanSupplier stop) {
        this(source, stop, IdempotencyKey.DEFAULT_TENANT);
    }

    @Override
    public String transport() {
        return TRANSPORT;
    }

    @Override
    public String origin() {
        return Objects.requireNonNullElse(properties().getConsumerQueue(), "");
    }

    @Override
    public List<@Nullable Object> header(String name) {
        List<@Nullable Object> values = new ArrayList<>(1);
        for (Map.Entry<String, @Nullable Object> header :
                properties().getHeaders().entrySet()) {
            if (header.getKey().equalsIgnoreCase(name)) {
                values.add(plain(header.getValue()));
            }
        }
        return values;
    }

    /** Converts long texts, which arrive in the client library's own type. */
    public static @Nullable Object plain(@Nullable Object value) {
        return value instanceof LongString text ? text.getBytes() : value;
    }

    @Override
    public @Nullable Object messageId() {
        return properties().getMessageId();
    }

    @Override
    public @Nullable String position() {
        return null;
    }

    @Override
    public Object body() {
        return source.getBody();
    }

    @Override
    public @Nullable Object contentType() {
        return properties().getContentType();
    }

    @Override
    public boolean stopping() {
        return stop.getAsBoolean();
    }

    private MessageProperties properties() {
        return source.getMessageProperties();
    }

    @Override
    public String toString() {
        return "message " + properties().getDeliveryTag() + " of queue \"" + origin() + "\"";
    }
}
