package io.idem.consumer.kafka;

import io.idem.consumer.DeliveredMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record as the deciding interceptor sees it. */
record KafkaDelivered(ConsumerRecord<?, ?> record, BooleanSupplier containerStopping) implements DeliveredMessage {

    private static final String CONTENT_TYPE = "content-type";

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
        List<@Nullable Object> values = new ArrayList<>();
        for (Header header : record.headers().headers(name)) {
            values.add(header.value());
        }
        return values;
    }

    @Override
    public @Nullable Object messageId() {
        Header id = record.headers().lastHeader(KafkaMessageHeaders.MESSAGE_ID);
        return id == null ? null : id.value();
    }

    @Override
    public String position() {
        return FirstPosition.of(record).toString();
    }

    @Override
    public @Nullable Object body() {
        return record.value();
    }

    @Override
    public @Nullable Object contentType() {
        Header type = record.headers().lastHeader(CONTENT_TYPE);
        return type == null ? null : type.value();
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
