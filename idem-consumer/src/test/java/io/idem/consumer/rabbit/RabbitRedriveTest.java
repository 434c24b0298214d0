package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.container.RabbitTenants;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.DeadLetterRedriver.Redrive;
import io.idem.operations.RecordOperator;
import io.idem.servers.junit.RequiresRabbitMq;
import io.idem.spi.DeadLetterSource.Search;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.AmqpConnectException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.Bean;

/** An operator lets a dead letter run again. */
class RabbitRedriveTest extends SharedRabbitScenario {

    private static final String[] TO_SETTLED = {
        "idem.consumer.rabbit.dead-letter.exchange=${test.name}", "idem.consumer.rabbit.dead-letter.routing-key=settled"
    };

    @Test
    void theLetterRunsOnceMoreAndTheOthersStay() {
        launch(AutoListeners.class, TO_SETTLED);
        hopeless(3);
        send("k1", "one");
        send("k2", "two");
        send("k3", "three");
        awaitUntil(() -> app().ready("settled") == 3);

        assertThat(redrive("k2", 100))
                .isInstanceOfSatisfying(
                        Search.Moved.class, moved -> assertThat(moved.to()).isEqualTo(app().name() + ".payments"));

        awaitUntil(() -> state("k2") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).endsWith("two").hasSize(4);
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
        assertThat(state("k3")).isEqualTo(RecordState.REJECTED);
        assertThat(bodiesOfLetters()).containsExactlyInAnyOrder("one", "three");
    }

    @Test
    void aBrokerThatIsAwayKeepsNoLetterOfAnotherOneFromGoingBack() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        CachingConnectionFactory away = Brokers.unreachable();
        DefaultListableBeanFactory both = Brokers.beans(away);
        both.registerSingleton("here", app().bean(CachingConnectionFactory.class));
        RabbitDeadLetterSource source = new RabbitDeadLetterSource(
                new RabbitConnections(both),
                app().bean(RabbitTenants.class),
                () -> app().bean(IdempotentListeners.class),
                Duration.ofSeconds(30));

        assertThatThrownBy(() -> redrive(source, "k1", 10, "settled"))
                .as("it may be there")
                .isInstanceOf(AmqpConnectException.class);
        putIntoSettled("k1", "one");
        assertThat(redrive(source, "k1", 10, "settled")).isEqualTo(new Search.Moved(1, app().name() + ".payments"));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        away.destroy();
    }

    @Test
    void theMessageIsAgainWhatItWas() {
        launch(AutoListeners.class, TO_SETTLED);
        hopeless(2);
        app().send("one", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.ROOT, "r1", "own", "kept"));
        awaitUntil(() -> app().ready("settled") == 1);

        redrive("k1", 100);

        awaitUntil(() -> events(ConsumerEvent.DeadLettered.class).size() == 2);
        Message again = app().awaitMessage("settled");
        assertThat(again.getMessageProperties().getHeaders())
                .containsEntry(IdempotencyHeaders.KEY, "k1")
                .containsEntry(IdempotencyHeaders.ROOT, "r1")
                .containsEntry("own", "kept")
                .containsEntry(IdempotencyHeaders.ATTEMPTS, 1);
        assertThat(again.getMessageProperties().getReceivedDeliveryMode()).isEqualTo(MessageDeliveryMode.PERSISTENT);
    }

    @Test
    void aLongQueueIsLookedThroughInSeveralCallsAndNoLetterIsLostOrDoubled() {
        launch(AutoListeners.class, TO_SETTLED);
        for (int n = 0; n < 25; n++) {
            putIntoSettled("other-" + n, "b" + n);
        }
        store().reject(takeAsOtherOwner("k1"), "no such account");
        putIntoSettled("k1", "one");

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(10, true));
        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(10, true));
        assertThat(redrive("k1", 10)).isEqualTo(new Search.Moved(6, app().name() + ".payments"));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(bodiesOfLetters()).hasSize(25).doesNotHaveDuplicates();
    }

    @Test
    void whatIsNotThereIsToldFromWhatWasNotLookedAt() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(0, false));
        putIntoSettled("k2", "two");

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Missing(1, false));

        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
        assertThat(bodiesOfLetters()).containsExactly("two");
    }

    @Test
    void anotherTenantsAnotherScopesAndAnotherPayloadsLetterIsLeftAlone() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        putIntoSettled("k1", "north", IdempotencyHeaders.TENANT, "north");
        putIntoSettled("k1", "receipt", IdempotencyHeaders.SCOPE, "receipts");
        putIntoSettled("k1", "unreadable", IdempotencyHeaders.FINGERPRINT, "none");
        putIntoSettled("k1", "ours", IdempotencyHeaders.SCOPE, PAYMENTS);

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Moved(4, app().name() + ".payments"));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("ours");
        assertThat(bodiesOfLetters()).containsExactlyInAnyOrder("north", "receipt", "unreadable");
    }

    @Test
    void workInProgressKeepsItsKeyAndItsLetter() {
        launch(AutoListeners.class, TO_SETTLED);
        takeAsOtherOwner("k1");
        putIntoSettled("k1", "one");

        assertThat(redrive("k1", 10)).isEqualTo(new Search.Kept(1));

        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(bodiesOfLetters()).containsExactly("one");
    }

    @Test
    void aQueueThatIsGoneTakesNothingAndTheLetterStaysForTheNextCall() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        putIntoSettled("k1", "one", IdempotencyHeaders.ORIGIN, app().name() + ".gone");

        assertThatThrownBy(() -> redrive("k1", 10)).hasStackTraceContaining(app().name() + ".gone");
        awaitUntil(() -> app().ready("settled") == 1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);

        app().bean(RabbitAdmin.class).declareQueue(new Queue(app().name() + ".gone"));
        try {
            assertThat(redrive("k1", 10)).isEqualTo(new Search.Moved(1, app().name() + ".gone"));
            assertThat(app().awaitMessage("gone").getBody()).asString().isEqualTo("one");
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(app().name() + ".gone");
        }
    }

    @Test
    void aLetterThatDoesNotSayWhereItCameFromAndAQueueThatIsNotThereAreNamed() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        app().template().send("", app().name() + ".settled", letter("k1", "one").build());
        awaitUntil(() -> app().ready("settled") == 1);

        assertThatThrownBy(() -> redrive("k1", 10)).hasMessageContaining("x-idempotency-origin");
        assertThatThrownBy(() -> redrive("k1", 10, "nowhere")).hasMessageContaining(".nowhere");
        assertThatThrownBy(() -> redrive("k1", 10, "payments")).hasMessageContaining("consumers");

        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
        assertThat(bodiesOfLetters()).containsExactly("one");
    }

    /** Handed back as often, its letters would have been dropped by the queue's delivery limit. */
    @Test
    @RequiresRabbitMq
    void searchesOfAQuorumQueueDoNotCountTowardsItsDeliveryLimit() {
        launch(List.of(AutoListeners.class, QuorumOfLetters.class), TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        put("letters", "k2", "two", IdempotencyHeaders.ORIGIN, app().name() + ".payments");
        try {
            for (int times = 0; times < 10; times++) {
                assertThat(redrive("k1", 10, "letters")).isEqualTo(new Search.Missing(1, false));
            }

            Message letter = app().awaitMessage("letters");
            assertThat(letter.getBody()).asString().isEqualTo("two");
            assertThat(letter.getMessageProperties().getHeaders()).doesNotContainKey("x-delivery-count");
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(app().name() + ".letters");
        }
    }

    @Test
    @RequiresRabbitMq
    void whatTheBrokerItselfMadeADeadLetterGoesToTheQueueThatTheBrokerNoted() {
        launch(AutoListeners.class);
        hopeless(1);
        send("k1", "one");
        awaitUntil(() -> app().ready("dead") == 1);

        assertThat(redrive("k1", 10, "dead")).isEqualTo(new Search.Moved(1, app().name() + ".payments"));

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
        assertThat(app().deadLetters()).isEmpty();
    }

    private void hopeless(int times) {
        for (int n = 0; n < times; n++) {
            script().then(call -> {
                throw new HopelessException("no such account");
            });
        }
    }

    private void putIntoSettled(String key, String body, String... header) {
        put("settled", key, body, header);
    }

    private void put(String queue, String key, String body, String... header) {
        MessageBuilder letter = letter(key, body);
        letter.setHeader(IdempotencyHeaders.ORIGIN, app().name() + ".payments");
        for (int n = 0; n < header.length; n += 2) {
            letter.setHeader(header[n], header[n + 1]);
        }
        long before = app().ready(queue);
        app().template().send("", app().name() + "." + queue, letter.build());
        awaitUntil(() -> app().ready(queue) == before + 1);
    }

    private static MessageBuilder letter(String key, String body) {
        MessageBuilder letter = MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8));
        letter.setContentType("text/plain").setHeader(IdempotencyHeaders.KEY, key);
        return letter;
    }

    private Search redrive(String key, int limit) {
        return redrive(key, limit, "settled");
    }

    private Search redrive(String key, int limit, String queue) {
        return redrive(app().bean(RabbitDeadLetterSource.class), key, limit, queue);
    }

    private Search redrive(RabbitDeadLetterSource source, String key, int limit, String queue) {
        RecordOperator operator = new RecordOperator(store(), app().bean(ScopePolicies.class), act -> {});
        Redrive redrive = new DeadLetterRedriver(store(), operator, List.of(source))
                .redrive(
                        new Order(
                                new RecordId(IdempotencyKey.of(key), new Scope(PAYMENTS)),
                                app().name() + "." + queue,
                                "rabbit",
                                limit),
                        "anna",
                        "ticket 7");
        return redrive.search().orElseThrow();
    }

    private List<String> bodiesOfLetters() {
        List<String> bodies = new ArrayList<>();
        for (Message letter = app().receive("settled"); letter != null; letter = app().receive("settled")) {
            bodies.add(new String(letter.getBody(), StandardCharsets.UTF_8));
        }
        return bodies;
    }

    /** A queue of dead letters that drops what is returned too often. */
    static class QuorumOfLetters {

        @Bean
        Queue letters(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".letters")
                    .quorum()
                    .deliveryLimit(3)
                    .build();
        }
    }
}
