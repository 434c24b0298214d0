package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.servers.spring.RabbitOfBoot;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;

/** Dead letters whose headers do not fit into a frame of the connection, unlike those of their messages. */
@Tag("servers")
class RabbitLargeDeadLetterTest extends RabbitScenario {

    private static final int FRAME = 4_096;
    private static final String PADDING = "x".repeat(3_000);

    static class SmallFrames {

        @Bean
        static BeanDefinitionRegistryPostProcessor smallFrames() {
            return RabbitOfBoot.connectionCustomizer(factory -> factory.setRequestedFrameMax(FRAME));
        }
    }

    @Test
    void aLetterThatItsHeadersMakeTooLargeIsPublishedWithoutThem() {
        launch(
                List.of(AutoListeners.class, SmallFrames.class),
                "idem.consumer.rabbit.dead-letter.exchange=${test.name}",
                "idem.consumer.rabbit.dead-letter.routing-key=settled");
        script().then(call -> {
            throw new HopelessException("no such account ".repeat(60));
        });

        app().template()
                .convertAndSend(
                        app().name(),
                        PAYMENTS,
                        "one",
                        message -> RabbitApplication.withHeaders(
                                message, Map.of(IdempotencyHeaders.KEY, "k1", "x-padding", PADDING)));

        Message letter = app().awaitMessage("settled");
        assertThat(letter.getBody()).asString().isEqualTo("one");
        assertThat(letter.getMessageProperties().getHeaders())
                .containsEntry(IdempotencyHeaders.KEY, "k1")
                .hasEntrySatisfying("x-padding", padding -> assertThat(padding).hasToString(PADDING))
                .doesNotContainKey(IdempotencyHeaders.REASON);
    }
}
