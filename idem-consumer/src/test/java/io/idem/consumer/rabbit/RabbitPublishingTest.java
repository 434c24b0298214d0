package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Publications;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** What idempotent work publishes: keys of its own, confirmed before the work counts as done. */
class RabbitPublishingTest extends SharedRabbitScenario {

    private static final String SETTLED = "settled";

    private ListenerScript.Step publish(String... bodies) {
        return call -> {
            for (String body : bodies) {
                app().template().convertAndSend(app().name(), SETTLED, body);
            }
            return "published";
        };
    }

    private List<Message> settled(int number) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            messages.add(app().awaitMessage(SETTLED));
        }
        return messages;
    }

    private static Stream<Object> header(List<Message> messages, String name) {
        return messages.stream().map(message -> message.getMessageProperties().getHeader(name));
    }

    /** By body, because a template sends with confirms on one channel for each message: the queue's order is not the publisher's. */
    private static Map<String, Set<String>> keysByBody(List<Message> messages) {
        return messages.stream()
                .collect(Collectors.groupingBy(
                        message -> new String(message.getBody(), StandardCharsets.UTF_8),
                        Collectors.mapping(
                                message -> message.getMessageProperties().<String>getHeader(IdempotencyHeaders.KEY),
                                Collectors.toSet())));
    }

    @Test
    void eachMessageGetsAKeyOfItsOwnThatASecondAttemptRepeats() {
        launch(AutoListeners.class);
        ListenerScript.Step twoThenFail = call -> {
            publish("a", "b").run(call);
            return ListenerScript.fail().run(call);
        };
        script().then(twoThenFail, publish("a", "b"));

        app().send(
                        "one",
                        Map.of(
                                IdempotencyHeaders.KEY, "k1",
                                IdempotencyHeaders.TENANT, "acme",
                                IdempotencyHeaders.ROOT, "root"));

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        List<Message> messages = settled(4);
        Map<String, Set<String>> keys = keysByBody(messages);
        assertThat(keys.get("a")).hasSize(1).doesNotContain("k1");
        assertThat(keys.get("b")).hasSize(1).doesNotContain("k1").doesNotContainAnyElementsOf(keys.get("a"));
        assertThat(header(messages, IdempotencyHeaders.TENANT)).containsOnly("acme");
        assertThat(header(messages, IdempotencyHeaders.ROOT)).containsOnly("root");
        assertThat(messages.stream()
                        .map(message -> message.getMessageProperties().getMessageId())
                        .distinct())
                .hasSize(2)
                .doesNotContainNull();
    }

    /** The client writes no text of more than 255 bytes. */
    @Test
    void aMessageThatWasNotSentIsNotAwaited() {
        launch(AutoListeners.class);
        script().then(call -> {
            assertThatThrownBy(() -> app().template().convertAndSend(app().name(), SETTLED, "long", message -> {
                        message.getMessageProperties().setCorrelationId("x".repeat(256));
                        return message;
                    }))
                    .hasRootCauseInstanceOf(IllegalArgumentException.class);
            return "done without it";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
    }

    @Test
    void aMessageOfAStepDoesNotLeaveEvenWithAKeyOfItsOwn() {
        launch(AutoListeners.class);
        script().then(call -> {
            IdempotencyContext.current().orElseThrow().step("charge", String.class, step -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> app().template().convertAndSend(app().name(), SETTLED, "inside", message -> {
                            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, "own");
                            return message;
                        }))
                        .withMessageContaining("published a message");
                return "charged";
            });
            return publish("after").run(call);
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(app().awaitMessage(SETTLED).getBody()).asString().isEqualTo("after");
        assertThat(app().ready(SETTLED)).isZero();
    }

    @Test
    void twoMessagesOfOneStoryLeadToDifferentKeys() {
        launch(AutoListeners.class);
        script().then(publish("a"), publish("b"));

        for (String key : List.of("k1", "k2")) {
            app().send(key, Map.of(IdempotencyHeaders.KEY, key, IdempotencyHeaders.ROOT, "root"));
        }

        assertThat(header(settled(2), IdempotencyHeaders.KEY)).doesNotHaveDuplicates();
    }

    @Test
    void aNamedMessageHasTheSameKeyWhateverComesBeforeIt() {
        launch(AutoListeners.class);
        ListenerScript.Step named = call -> {
            app().template()
                    .convertAndSend(app().name(), SETTLED, "receipt", IdempotencyHeadersPostProcessor.named("receipt"));
            return "published";
        };
        ListenerScript.Step other = call -> {
            publish("before").run(call);
            named.run(call);
            return ListenerScript.fail().run(call);
        };
        script().then(other, named);

        send("k1", "one");

        Map<String, Set<String>> keys = keysByBody(settled(3));
        assertThat(keys.get("receipt")).hasSize(1).doesNotContainAnyElementsOf(keys.get("before"));
    }

    @Test
    void aHeaderThatIsThereIsNeverOverwritten() {
        launch(AutoListeners.class);
        script().then(call -> {
            app().template().convertAndSend(app().name(), SETTLED, "a", message -> {
                message.getMessageProperties().setMessageId("own id");
                return RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "own key"));
            });
            return "published";
        });

        send("k1", "one");

        Message message = settled(1).get(0);
        assertThat(header(List.of(message), IdempotencyHeaders.KEY)).containsExactly("own key");
        assertThat(message.getMessageProperties().getMessageId()).isEqualTo("own id");
        assertThat(header(List.of(message), IdempotencyHeaders.ROOT)).containsExactly("k1");
    }

    @Test
    void aKeyOfTheSendersOwnIsReadInEveryForm() {
        launch(AutoListeners.class);
        Map<String, Object> own = Map.of(
                IdempotencyHeaders.STANDARD_KEY, "key", "X-Idempotency-KEY", "key".getBytes(StandardCharsets.UTF_8));
        script().then(call -> {
            own.forEach((name, value) -> app().template()
                    .convertAndSend(
                            app().name(),
                            SETTLED,
                            "body",
                            message -> RabbitApplication.withHeaders(message, Map.of(name, value))));
            return "published";
        });

        send("k1", "one");

        assertThat(settled(2))
                .extracting(message -> message.getMessageProperties().getMessageId())
                .containsOnly(IdempotencyKey.of("key").id());
    }

    @Test
    void outsideIdempotentWorkNothingIsAdded() {
        launch(AutoListeners.class);

        app().template().convertAndSend(app().name(), SETTLED, "plain");

        Message message = settled(1).get(0);
        assertThat(message.getMessageProperties().getHeaders())
                .doesNotContainKeys(IdempotencyHeaders.KEY, IdempotencyHeaders.TENANT, IdempotencyHeaders.ROOT);
    }

    @Test
    void anOrdinaryTemplateGetsTheHeadersAndKeepsItsPostProcessors() {
        launch(AutoListeners.class, "spring.rabbitmq.publisher-confirm-type=none");
        app().template().addBeforePublishPostProcessors(message -> {
            message.getMessageProperties().setHeader("own", "kept");
            return message;
        });
        script().then(publish("a"));

        send("k1", "one");

        List<Message> messages = settled(1);
        assertThat(header(messages, "own")).containsExactly("kept");
        assertThat(header(messages, IdempotencyHeaders.KEY)).doesNotContainNull();
    }

    @Test
    void theKeyOfTheDeliveryThatATemplateWritesOnAllMessagesIsReplaced() {
        launch(Stamping.class);
        script().then(publish("a", "b"));

        send("k1", "one");

        assertThat(header(settled(2), IdempotencyHeaders.KEY))
                .doesNotContain("k1")
                .doesNotHaveDuplicates();
    }

    /** A template that writes the key of the current delivery on all that it publishes. */
    @Configuration(proxyBeanMethods = false)
    @Import(AutoListeners.class)
    static class Stamping {

        @Bean
        static BeanPostProcessor stamping() {
            return new BeanPostProcessor() {
                @Override
                public Object postProcessBeforeInitialization(Object bean, String name) {
                    if (bean instanceof RabbitTemplate template) {
                        template.addBeforePublishPostProcessors(message -> {
                            IdempotencyContext.current()
                                    .ifPresent(work -> RabbitApplication.withHeaders(
                                            message,
                                            Map.of(
                                                    IdempotencyHeaders.KEY,
                                                    work.key().value())));
                            return message;
                        });
                    }
                    return bean;
                }
            };
        }
    }

    @Test
    void workIsNotDoneBeforeItsMessagesHaveAQueue() {
        launch(AutoListeners.class);
        String later = app().name() + ".later";
        script().then(call -> {
            app().template().convertAndSend("", later, "a");
            return "published";
        });

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.COMMIT) == 1);
        await().during(Duration.ofMillis(500)).until(() -> log().count(EventLog.COMPLETE) == 0);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        app().bean(RabbitAdmin.class).declareQueue(new Queue(later));

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(script().calls()).hasSize(1);
        assertThat(header(List.of(app().awaitMessage("later")), IdempotencyHeaders.KEY))
                .doesNotContainNull();
        assertThat(log().withoutDeliveries())
                .containsExactly(EventLog.WORK, EventLog.COMMIT, EventLog.COMPLETE, EventLog.ACKNOWLEDGE);
        app().bean(RabbitAdmin.class).deleteQueue(later);
    }

    /** Qpid refuses an event that nobody wants before it returns it. */
    @Test
    @RequiresRabbitMq
    void workIsDoneAlthoughNobodyWantsItsEvent() {
        launch(AutoListeners.class);
        script().then(call -> {
            app().template().convertAndSend(app().name(), NOWHERE, "event");
            return "published";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(1);
        assertThat(events(ConsumerEvent.Unroutable.class))
                .containsExactly(new ConsumerEvent.Unroutable(new Scope(PAYMENTS), "rabbit", app().name(), NOWHERE));
    }

    @Test
    void aKeptMessageComesOutAsItWentIn() {
        MessageProperties properties = new MessageProperties();
        properties.setContentType("application/json");
        properties.setMessageId("id");
        properties.setUserId("guest");
        properties.setPriority(3);
        properties.setExpiration("1000");
        properties.setDeliveryMode(MessageDeliveryMode.NON_PERSISTENT);
        properties.setHeader("text", "grün");
        properties.setHeader("number", 7L);
        properties.setHeader("bytes", new byte[] {1, 2});
        properties.setHeader("nested", Map.of("list", List.of("a", 1)));
        properties.setHeader("long", "x".repeat(5000));
        Message message = new Message(new byte[] {9, 8, 7}, properties);
        RabbitDestination destination = new RabbitDestination("exchange", "key");

        OutgoingRabbitMessage kept =
                OutgoingRabbitMessage.decode(OutgoingRabbitMessage.of(destination, new RoutedMessage(message, true))
                        .encode(Optional.of("other")));

        assertThat(kept.destination()).isEqualTo(destination);
        assertThat(kept.message().getBody()).isEqualTo(message.getBody());
        MessageProperties came = kept.message().getMessageProperties();
        assertThat(came.getContentType()).isEqualTo("application/json");
        assertThat(came.getMessageId()).isEqualTo("id");
        assertThat(came.getUserId()).isEqualTo("guest");
        assertThat(came.getPriority()).isEqualTo(3);
        assertThat(came.getExpiration()).isEqualTo("1000");
        assertThat(came.getDeliveryMode()).isEqualTo(properties.getDeliveryMode());
        assertThat(came.getHeaders()).containsEntry("text", "grün").containsEntry("number", 7L);
        assertThat(came.<byte[]>getHeader("bytes")).isEqualTo(new byte[] {1, 2});
        assertThat(came.<Object>getHeader("nested")).isEqualTo(Map.of("list", List.of("a", 1)));
        assertThat(came.<Object>getHeader("long")).hasToString("x".repeat(5000));
    }

    @Test
    void correlationDataIsRefusedWhileMessagesAreKept() {
        launch(AutoListeners.class);
        RabbitTemplate template = app().template();
        List<Throwable> failures = new ArrayList<>();
        script().then(call -> {
            Publications publications = call.context().publications();
            publications.keeping(true);
            try {
                template.convertAndSend(app().name(), SETTLED, (Object) "a", new CorrelationData());
            } catch (IllegalStateException refused) {
                failures.add(refused);
            } finally {
                publications.keeping(false);
            }
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(failures)
                .singleElement()
                .satisfies(failure -> assertThat(failure).hasMessageContaining("CorrelationData"));
    }
}
