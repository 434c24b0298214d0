package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotencyHeaders;
import org.springframework.amqp.core.Message;

/** Reads the keys of replies to requests under "k1". */
final class ReplyKeys {

    private ReplyKeys() {}

    static String of(Message reply) {
        String root = reply.getMessageProperties().getHeader(IdempotencyHeaders.ROOT);
        assertThat(root).isEqualTo("k1");
        String key = reply.getMessageProperties().getHeader(IdempotencyHeaders.KEY);
        return assertThat(key).isNotNull().actual();
    }
}
