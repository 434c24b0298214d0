package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ListenerScript;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.support.AmqpHeaders;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.handler.annotation.Header;

/** Bodies that a converter makes objects of, in messages that do not name a Java type. */
@Tag("extended")
class RabbitPayloadTest extends RabbitScenario {

    private static Message json(String key, String body) {
        return MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8))
                .setContentType("application/json")
                .setHeader(IdempotencyHeaders.KEY, key)
                .build();
    }

    @Test
    void aBodyIsConvertedBesideParametersForTheContextAndTheKey() {
        launch(Converted.class);

        app().template().send(app().name(), PAYMENTS, json("k1", "{\"id\":\"A-1\",\"amount\":7}"));

        awaitUntil(() -> !script().calls().isEmpty());
        assertThat(script().bodies(PAYMENTS)).containsExactly("A-1 for 7 of k1 in payments");
    }

    @Test
    void anObjectThatAnsweredARequestAnswersItsDuplicateWithTheSameBytes() {
        launch(Converted.class);
        Message request = json("k1", "{\"id\":\"A-1\",\"amount\":7}");
        request.getMessageProperties().setReplyTo(app().name() + ".settled");

        app().template().send(app().name(), PAYMENTS, request);
        Message first = app().awaitMessage("settled");
        app().template().send(app().name(), PAYMENTS, request);
        Message second = app().awaitMessage("settled");

        assertThat(script().calls()).hasSize(1);
        assertThat(first.getBody()).asString().contains("A-1", "7");
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(second.getMessageProperties().getContentType()).isEqualTo("application/json");
        assertThat(second.getMessageProperties().<Object>getHeader("__TypeId__"))
                .isEqualTo(first.getMessageProperties().getHeader("__TypeId__"));
    }

    record Order(String id, int amount) {}

    record Receipt(Order order, long fence) {}

    /** Their converter knows JSON. */
    static class Converted {

        private final ListenerScript script;

        Converted(ListenerScript script) {
            this.script = script;
        }

        @Bean
        static JacksonJsonMessageConverter converter() {
            return new JacksonJsonMessageConverter();
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        Receipt pay(
                Order order,
                IdempotencyContext context,
                IdempotencyKey key,
                @Header(AmqpHeaders.RECEIVED_ROUTING_KEY) String routingKey)
                throws Exception {
            script.run(
                    PAYMENTS,
                    order.id() + " for " + order.amount() + " of " + key.value() + " in " + routingKey,
                    context);
            return new Receipt(order, context.fence());
        }
    }
}
