package io.idem.consumer.internal.rabbit.publish;

import io.idem.ResultCodec;
import io.idem.consumer.internal.call.ReplyForm;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.reflect.Type;
import org.springframework.amqp.core.Message;

/**
 * Replies that are messages as they are sent to RabbitMQ: stored as on the wire. Their correlation is written anew for
 * each request by the listener adapter. Thread-safe.
 */
public final class AmqpMessageReply implements ReplyForm {

    /** Name under which such replies are stored. */
    public static final String CODEC = "amqp.1";

    @Override
    public String name() {
        return CODEC;
    }

    @Override
    public boolean isOf(Object value) {
        return value instanceof Message;
    }

    @Override
    public void write(Object message, ResultCodec payloads, DataOutputStream out) throws IOException {
        AmqpMessageBytes.write((Message) message, out);
    }

    @Override
    public Object read(DataInputStream in, Type type, ResultCodec payloads) throws IOException {
        return AmqpMessageBytes.read(in);
    }
}
