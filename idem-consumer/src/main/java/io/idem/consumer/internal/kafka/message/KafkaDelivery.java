package io.idem.consumer.internal.kafka.message;

import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.internal.key.HeaderText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * A record as the deciding interceptor sees it.
 *
 * @param decoding whether values that a header mapper has encoded are decoded
 */
public record KafkaDelivery(ConsumerRecord<?, ?> record, BooleanSupplier containerStopping, boolean decoding)
        implements DeliveredMessage {

    private static final String CONTENT_TYPE = "content-type";

    public KafkaDelivery(ConsumerRecord<?, ?> record, BooleanSupplier containerStopping) {
        this(record, containerStopping, true);
    }

    @Override
    public DeliveredMessage asReadBefore() {
        boolean alike = Arrays.stream(record.headers().toArray())
                .allMatch(header -> JsonHeaders.value(header, record.headers()) == header.value());
        return alike ? this : new KafkaDelivery(record, containerStopping, false);
    }

    @Override
    public String transport() {
        return KafkaMessageHeaders.TRANSPORT;
    }

    @Override
    public String origin() {
        return record.topic();
    }

    @Override
    public List<@Nullable Object> header(String name) {
        List<@Nullable Object> values = new ArrayList<>(1);
        for (Header header : record.headers()) {
            if (header.key().equalsIgnoreCase(name)) {
                values.add(decoding ? JsonHeaders.value(header, record.headers()) : header.value());
            }
        }
        return values;
    }

    @Override
    public @Nullable Object messageId() {
        return HeaderText.read(this, KafkaMessageHeaders.MESSAGE_ID).orElse(null);
    }

    @Override
    public @Nullable String position() {
        return FirstPosition.known(record).map(FirstPosition::toString).orElse(null);
    }

    @Override
    public @Nullable Object body() {
        return record.value() instanceof Bytes bytes ? bytes.get() : record.value();
    }

    @Override
    public @Nullable Object contentType() {
        return HeaderText.read(this, CONTENT_TYPE).orElse(null);
    }

    @Override
    public Object source() {
        return record;
    }

    @Override
    public boolean stopping() {
        return containerStopping.getAsBoolean();
    }

    @Override
    public String toString() {
        return "Kafka record " + record.topic() + "-" + record.partition() + "@" + record.offset();
    }
}
