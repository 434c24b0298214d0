package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.FingerprintSource;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.rabbit.RabbitBatchListeners.Batches;
import io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.RecordOperator;
import io.idem.spi.DeadLetterSource.Search;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;

/** Another payload under a used key, from producers that send no fingerprint. */
class RabbitFingerprintTest extends RabbitScenario {

    private static final String[] TO_SETTLED = {
        "idem.consumer.rabbit.dead-letter.exchange=${test.name}", "idem.consumer.rabbit.dead-letter.routing-key=settled"
    };

    static class ByBody {

        private final ListenerScript script;

        ByBody(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, fingerprint = FingerprintSource.BODY, rejectOn = HopelessException.class)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    static class ByFields {

        private final ListenerScript script;

        ByFields(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, fingerprintFields = "/amount")
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    static class InBatches {

        private final Batches batches;

        InBatches(Batches batches) {
            this.batches = batches;
        }

        @RabbitListener(id = "batches", queues = "${test.name}.payments", containerFactory = "batching")
        @IdempotentListener(scope = PAYMENTS, fingerprint = FingerprintSource.BODY)
        void pay(List<String> bodies) {
            batches.run(bodies);
        }
    }

    private void awaitDeadLetters(String... bodies) {
        awaitUntil(() -> app().deadLetters().size() >= bodies.length);
        assertThat(app().deadLetters()).containsExactly(bodies);
    }

    private void awaitDuplicates(int count) {
        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == count);
    }

    @ParameterizedTest
    @ValueSource(strings = {"spring.rabbitmq.listener.type=simple", "spring.rabbitmq.listener.type=direct"})
    void anotherBodyUnderAUsedKeyIsADeadLetterAndTheSameBodyADuplicate(String container) {
        launch(ByBody.class, container);
        send("k1", "one");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);

        send("k1", "two");
        send("k1", "one");

        awaitDeadLetters("two");
        awaitDuplicates(1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(events(ConsumerEvent.DeadLettered.class))
                .singleElement()
                .returns("its key was used before with another payload", ConsumerEvent.DeadLettered::reason);
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    @Tag("extended")
    void anotherAmountUnderAUsedKeyIsADeadLetterAndAnotherTimestampADuplicate() {
        launch(ByFields.class);
        send("k1", "{\"amount\":10,\"sentAt\":1}");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);

        send("k1", "{\"amount\":11,\"sentAt\":1}");
        send("k1", "{\"sentAt\":2,\"amount\":10.0}");

        awaitDeadLetters("{\"amount\":11,\"sentAt\":1}");
        awaitDuplicates(1);
        assertThat(script().calls()).hasSize(1);
    }

    /** A retry of the same message has the same fingerprint. */
    @Test
    @Tag("extended")
    void aFailedMessageRunsAgainWhereBodiesAreCompared() {
        launch(ByBody.class);
        script().then(ListenerScript.fail());

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    @Tag("extended")
    void anotherBodyUnderAKeyOfTheSameBatchIsADeadLetter() {
        launch(List.of(Batches.class, InBatches.class));
        app().template().invoke(channel -> {
            for (String body : List.of("one", "two", "one")) {
                channel.send(app().name(), PAYMENTS, letter("k1", body).build());
            }
            return "sent";
        });
        awaitUntil(() -> app().ready(PAYMENTS) == 3);
        Objects.requireNonNull(app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer("batches"))
                .start();

        awaitDeadLetters("two");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(app().bean(Batches.class).bodies()).containsExactly("one");
        assertThat(app().stopAndCountUnsettled()).isZero();
    }

    @Test
    @Tag("extended")
    void aRedriveTakesTheLetterWithTheBodyOfTheRecord() {
        launch(ByBody.class, TO_SETTLED);
        script().then(call -> {
            throw new HopelessException("no such account");
        });
        send("k1", "one");
        awaitUntil(() -> state("k1") == RecordState.REJECTED);
        awaitUntil(() -> app().ready("settled") == 1);
        Message ours = app().awaitMessage("settled");
        send("k1", "two");
        awaitUntil(() -> app().ready("settled") == 1);
        app().template().send("", app().name() + ".settled", ours);
        awaitUntil(() -> app().ready("settled") == 2);

        assertThat(redrive("k1")).isEqualTo(new Search.Moved(2, app().name() + ".payments"));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("two");
    }

    private Search redrive(String key) {
        RecordOperator operator = new RecordOperator(store(), app().bean(ScopePolicies.class), act -> {});
        return new DeadLetterRedriver(store(), operator, List.of(app().bean(RabbitDeadLetterSource.class)))
                .redrive(new Order(record(key), app().name() + ".settled", "rabbit", 10), "anna", "ticket 7")
                .search()
                .orElseThrow();
    }

    private static MessageBuilder letter(String key, String body) {
        MessageBuilder letter = MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8));
        letter.setContentType("text/plain").setHeader(IdempotencyHeaders.KEY, key);
        return letter;
    }
}
