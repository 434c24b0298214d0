package io.idem.consumer.internal.rabbit.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;

/** What a message shows of itself for keys that are in its body. */
class RabbitDeliveryTest {

    @Test
    void itsBytesAndItsMediaTypeAreShownAsTheyCame() {
        byte[] body = "{\"id\":\"1\"}".getBytes(StandardCharsets.UTF_8);
        Message message = MessageBuilder.withBody(body)
                .setContentType("application/cloudevents+json")
                .build();
        RabbitDelivery delivered = new RabbitDelivery(message, () -> false);

        assertThat(delivered.body()).isEqualTo(body);
        assertThat(delivered.contentType()).isEqualTo("application/cloudevents+json");
    }
}
