package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.listener.adapter.ReplyPostProcessor;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.MessageListenerAdapter;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Listeners that answer: duplicates get the stored answer, and what did not run gets none. */
class RabbitReplyTest extends RabbitScenario {

    private Message request(String key, String correlation) {
        return request(key, correlation, "settled");
    }

    private Message request(String key, String correlation, String replyQueue) {
        return MessageBuilder.withBody("one".getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .setHeader(IdempotencyHeaders.KEY, key)
                .setReplyTo(app().name() + "." + replyQueue)
                .setCorrelationId(correlation)
                .build();
    }

    private Message reply() {
        return app().awaitMessage("settled");
    }

    @Test
    void aDuplicateRequestIsAnsweredAtItsOwnAddressAndCorrelation() {
        launch(Answering.class);

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));
        Message first = reply();
        app().template().send(app().name(), PAYMENTS, request("k1", "second", "dead"));
        Message second = app().awaitMessage("dead");

        assertThat(script().calls()).hasSize(1);
        assertThat(second.getBody()).isEqualTo(first.getBody());
        assertThat(second.getMessageProperties().getContentType())
                .isEqualTo(first.getMessageProperties().getContentType());
        assertThat(first.getMessageProperties().getCorrelationId()).isEqualTo("first");
        assertThat(second.getMessageProperties().getCorrelationId()).isEqualTo("second");
        assertThat(second.getMessageProperties().getHeaders())
                .doesNotContainKeys(IdempotencyHeaders.KEY, IdempotencyHeaders.ROOT);
    }

    @Test
    void onRequestAnAnswerCarriesAKeyOfItsOwnThatItsRepetitionHasToo() {
        launch(Answering.class, "idem.consumer.reply-headers=true");

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));
        Message first = reply();
        app().template().send(app().name(), PAYMENTS, request("k1", "second"));
        Message repeated = reply();
        app().template().send(app().name(), PAYMENTS, request("k2", "third"));
        Message other = reply();

        assertThat(header(first, IdempotencyHeaders.KEY))
                .isNotEqualTo("k1")
                .isEqualTo(header(repeated, IdempotencyHeaders.KEY))
                .isNotEqualTo(header(other, IdempotencyHeaders.KEY));
        assertThat(header(first, IdempotencyHeaders.ROOT)).isEqualTo("k1");
        assertThat(first.getMessageProperties().getHeaders()).containsEntry("own", "kept");
    }

    private static @Nullable String header(Message message, String name) {
        return message.getMessageProperties().getHeader(name);
    }

    @Test
    void aDeferredRequestGetsNoAnswerNotEvenAnError() {
        launch(Answering.class);
        takeAsOtherOwner("k1");

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() >= 2);
        assertThat(app().ready("settled")).isZero();
        assertThat(app().stopAndCountUnsettled()).isEqualTo(1);
    }

    @Test
    void theAnswerOfAContainerThatIsMadeLateCarriesAKeyOfItsOwn() {
        launch(AnsweringLate.class, "idem.consumer.reply-headers=true");
        assertThat(app().bean(AnsweringLate.Late.class)).isNotNull();

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));

        Message answer = reply();
        assertThat(header(answer, IdempotencyHeaders.KEY)).isNotNull().isNotEqualTo("k1");
        assertThat(header(answer, IdempotencyHeaders.ROOT)).isEqualTo("k1");
    }

    static class AnsweringLate {

        @Bean
        @Lazy
        Late late() {
            return new Late();
        }

        static class Late {

            @RabbitListener(queues = "${test.name}.payments")
            @IdempotentListener(scope = PAYMENTS)
            Message pay(Message request) {
                return MessageBuilder.fromClonedMessage(request).build();
            }
        }
    }

    @Test
    void theAnswerOfAContainerBeanCarriesAKeyOfItsOwn() {
        launch(AnsweringAdapter.class, "idem.consumer.reply-headers=true");

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));

        Message answer = reply();
        assertThat(header(answer, IdempotencyHeaders.KEY)).isNotNull().isNotEqualTo("k1");
        assertThat(header(answer, IdempotencyHeaders.ROOT)).isEqualTo("k1");
    }

    static class AnsweringAdapter {

        @Bean
        SimpleMessageListenerContainer container(
                ConnectionFactory connections, @Value("${test.name}.payments") String queue, Answers answers) {
            SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections);
            container.setQueueNames(queue);
            container.setMessageListener(new MessageListenerAdapter(answers, "pay"));
            return container;
        }

        @Bean
        Answers answers() {
            return new Answers();
        }

        static class Answers {

            @RabbitListener(queues = "${test.name}.payments", autoStartup = "false")
            @IdempotentListener(scope = PAYMENTS)
            public String pay(String body) {
                return body;
            }
        }
    }

    /** Would send every exception back as an answer. */
    static class Answering {

        private final ListenerScript script;

        Answering(ListenerScript script) {
            this.script = script;
        }

        @Bean
        static ReplyPostProcessor ownReplies() {
            return (request, reply) -> {
                reply.getMessageProperties().setHeader("own", "kept");
                return reply;
            };
        }

        @RabbitListener(queues = "${test.name}.payments", returnExceptions = "true", replyPostProcessor = "ownReplies")
        @IdempotentListener(scope = PAYMENTS)
        String pay(String body, IdempotencyContext context) throws Exception {
            return script.run(PAYMENTS, body, context) + " under fence " + context.fence();
        }
    }

    @Test
    void anErrorHandlerThatAnswersForAFailureDoesNotCompleteIt() {
        launch(Forgiving.class, NO_RETRY);
        script().then(ListenerScript.fail());

        app().template().send(app().name(), PAYMENTS, request("k1", "first"));

        Message answer = reply();
        assertThat(answer.getBody()).asString().isEqualTo("sorry");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
    }

    /** Answers failures by itself. */
    static class Forgiving {

        private final ListenerScript script;

        Forgiving(ListenerScript script) {
            this.script = script;
        }

        @Bean
        static RabbitListenerErrorHandler forgive() {
            return (amqpMessage, channel, message, failure) -> "sorry";
        }

        @RabbitListener(queues = "${test.name}.payments", errorHandler = "forgive")
        @IdempotentListener(scope = PAYMENTS)
        String pay(String body, IdempotencyContext context) throws Exception {
            return script.run(PAYMENTS, body, context);
        }
    }
}
