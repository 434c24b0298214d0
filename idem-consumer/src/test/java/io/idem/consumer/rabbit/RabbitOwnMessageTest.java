package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.LoggedLines;
import io.idem.consumer.contract.MapInbox;
import io.idem.consumer.contract.Resettable;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import io.idem.engine.IdempotentExecutor;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.api.RabbitListenerErrorHandler;
import org.springframework.amqp.rabbit.retry.RepublishMessageRecoverer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.messaging.handler.annotation.Header;

/** The keys of messages that a listener publishes under the key of its own message. */
class RabbitOwnMessageTest extends SharedRabbitScenario {

    private static final String SETTLED = "settled";
    private static final String OWN_TEMPLATE = "idem.consumer.propagating-templates=false";

    private RabbitTemplate template() {
        return app().template();
    }

    private String queue() {
        return app().name() + "." + PAYMENTS;
    }

    private Received received() {
        return app().bean(Received.class);
    }

    /** The first so many calls do this; the others succeed. */
    private void does(int calls, Sending sending) {
        received().first(calls, sending);
    }

    private List<Message> settled(int number) {
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            messages.add(app().awaitMessage(SETTLED));
        }
        return messages;
    }

    private static Stream<String> header(List<Message> messages, String name) {
        return messages.stream().map(message -> message.getMessageProperties().<String>getHeader(name));
    }

    private static Message with(Message incoming, String body) {
        return new Message(body.getBytes(StandardCharsets.UTF_8), incoming.getMessageProperties());
    }

    private void awaitDone(int acknowledged) {
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == acknowledged);
    }

    private void assertRanAgain(int attempts) {
        awaitDone(attempts);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
        assertThat(received().attempts())
                .isEqualTo(Stream.iterate(1, last -> last + 1).limit(attempts).toList());
        assertThat(app().deadLetters()).isEmpty();
    }

    @Test
    void aRetryThatIsCountedByHandRunsAgainUntilItSucceeds() {
        launch(Raw.class);
        does(2, (message, context) -> {
            message.getMessageProperties().incrementRetryCount();
            template().send("", queue(), message);
        });

        send("k1", "one");

        assertRanAgain(3);
    }

    @Test
    void aCopyByTheExchangeThatTheMessageCameFromRunsAgain() {
        launch(Raw.class);
        does(
                1,
                (message, context) -> template()
                        .send(
                                app().name(),
                                PAYMENTS,
                                MessageBuilder.fromMessage(message).build()));

        send("k1", "one");

        assertRanAgain(2);
    }

    @Test
    void aCopyThroughATemplateOfTheApplicationsOwnRunsAgain() {
        launch(Raw.class, OWN_TEMPLATE);
        does(2, (message, context) -> template().send("", queue(), message));

        send("k1", "one");

        assertRanAgain(3);
    }

    @Test
    void aCopyElsewhereIsANewOperationAndLeavesTheMessageAsItIs() {
        launch(Raw.class);
        does(1, (message, context) -> {
            template().send(app().name(), SETTLED, message);
            assertThat(message.getMessageProperties().<String>getHeader(IdempotencyHeaders.KEY))
                    .isEqualTo("k1");
        });

        app().send("one", Map.of(IdempotencyHeaders.KEY, "k1", IdempotencyHeaders.ROOT, "root"));

        List<Message> parked = settled(1);
        assertThat(header(parked, IdempotencyHeaders.KEY)).doesNotContain("k1").doesNotContainNull();
        assertThat(header(parked, IdempotencyHeaders.ROOT)).containsExactly("root");
        awaitDone(1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void oneMessageMadeIntoSeveralGetsAKeyForEach() {
        for (String setting : List.of("idem.consumer.propagating-templates=true", OWN_TEMPLATE)) {
            launch(Raw.class, setting);
            does(
                    1,
                    (message, context) -> Stream.of("x", "y", "z")
                            .forEach(item -> template().send(app().name(), SETTLED, with(message, item))));

            send("k1", "one");

            assertThat(header(settled(3), IdempotencyHeaders.KEY))
                    .as(setting)
                    .doesNotHaveDuplicates()
                    .doesNotContain("k1");
            awaitDone(1);
            close();
        }
    }

    @Test
    void itemsThatOtherThreadsPublishGetAKeyEachToo() {
        launch(Raw.class);
        does(1, (message, context) -> {
            List<CompletableFuture<Void>> items = Stream.of("x", "y", "z")
                    .map(item -> CompletableFuture.runAsync(
                            () -> template().send(app().name(), SETTLED, with(message, item))))
                    .toList();
            items.forEach(CompletableFuture::join);
        });

        send("k1", "one");

        assertThat(header(settled(3), IdempotencyHeaders.KEY))
                .doesNotHaveDuplicates()
                .doesNotContain("k1");
        awaitDone(1);
    }

    @Test
    void aCopyThatAStageSendsBackRunsAgain() {
        launch(Future.class);
        does(2, (message, context) -> template().send("", queue(), message));

        send("k1", "one");

        assertRanAgain(3);
    }

    @Test
    void aKeyUnderItsStandardNameIsReplacedToo() {
        launch(Raw.class);
        does(
                1,
                (message, context) -> Stream.of("x", "y")
                        .forEach(item -> template().send(app().name(), SETTLED, with(message, item))));

        app().send("one", Map.of("Idempotency-Key", "k1"));

        List<Message> items = settled(2);
        assertThat(header(items, IdempotencyHeaders.KEY))
                .doesNotHaveDuplicates()
                .doesNotContain("k1");
        assertThat(header(items, "Idempotency-Key")).containsOnlyNulls();
    }

    @Test
    void aNameGivesAnItemItsKeyAlsoWhereItCarriesTheIncomingOne() {
        launch(Raw.class);
        does(
                1,
                (message, context) -> Stream.of("x", "y")
                        .forEach(item -> template()
                                .convertAndSend(
                                        app().name(),
                                        SETTLED,
                                        with(message, item),
                                        IdempotencyHeadersPostProcessor.named(item))));

        send("k1", "one");

        String destination = app().name() + "/" + SETTLED;
        IdempotencyContext context = received().context();
        assertThat(header(settled(2), IdempotencyHeaders.KEY))
                .containsExactlyInAnyOrder(
                        context.publications().namedKey(destination, "x").value(),
                        context.publications().namedKey(destination, "y").value());
    }

    @Test
    void anotherBodyBackToTheQueueIsANewOperation() {
        launch(Raw.class);
        does(1, (message, context) -> template().send("", queue(), with(message, "rest")));

        send("k1", "one");

        awaitDone(2);
        assertThat(received().keys()).startsWith("k1").doesNotHaveDuplicates().hasSize(2);
        assertThat(received().attempts()).containsExactly(1, 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aScopeMayKeepTheIncomingKey() {
        launch(Raw.class, "idem.scopes.payments.keep-incoming-key=true");
        does(1, (message, context) -> template().send(app().name(), SETTLED, message));

        send("k1", "one");

        assertThat(header(settled(1), IdempotencyHeaders.KEY)).containsExactly("k1");
        awaitDone(1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aKeptKeyOnAnotherBodyBackToTheQueueIsALaterAttempt() {
        launch(Raw.class, "idem.scopes.payments.keep-incoming-key=true");
        does(1, (message, context) -> template().send("", queue(), with(message, "rest")));

        send("k1", "one");

        assertRanAgain(2);
    }

    @Test
    void itIsSaidOnceThatAMessageGotAnotherKeyThanItCarried() {
        launch(Raw.class);
        does(2, (message, context) -> template().send(app().name(), SETTLED, message));

        try (LoggedLines lines = new LoggedLines()) {
            send("k1", "one");
            send("k2", "two");
            awaitDone(2);

            assertThat(lines.ofIdem(Level.WARN))
                    .filteredOn(line -> line.contains("keep-incoming-key"))
                    .singleElement()
                    .asString()
                    .contains("\"payments\"", app().name() + "/" + SETTLED)
                    .containsAnyOf(
                            IdempotencyKey.of("k1").id(),
                            IdempotencyKey.of("k2").id());
        }
    }

    @Test
    void aKeyFromTheBodyBringsALaterAttemptWhateverElseTheBodySays() {
        launch(ByField.class);
        does(
                1,
                (message, context) -> template()
                        .send(
                                "",
                                queue(),
                                MessageBuilder.withBody("{\"id\":7,\"tries\":1}".getBytes(StandardCharsets.UTF_8))
                                        .build()));

        app().send("{\"id\":7,\"tries\":0}", Map.of());

        awaitDone(2);
        assertThat(received().attempts()).containsExactly(1, 2);
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(1);
    }

    /** As a delay queue does whose messages expire. */
    private void comesBack(Message parked) {
        template().send("", queue(), parked);
    }

    static Stream<Arguments> listenersWithKeysOfTheApplication() {
        return Stream.of(ByField.class, ByHeader.class, ByArgument.class)
                .flatMap(listener -> Stream.of("idem.consumer.propagating-templates=true", OWN_TEMPLATE)
                        .map(setting -> Arguments.of(listener, setting)));
    }

    @ParameterizedTest
    @MethodSource("listenersWithKeysOfTheApplication")
    void aCopyElsewhereIsANewOperationAlsoUnderAKeyThatTheApplicationReads(Class<?> listener, String setting) {
        launch(listener, setting);
        does(2, (message, context) -> template().send(app().name(), SETTLED, message));

        app().send("{\"id\":7}", Map.of("order-id", "o7"));
        comesBack(settled(1).get(0));
        comesBack(settled(1).get(0));

        awaitDone(3);
        assertThat(received().attempts()).containsExactly(1, 1, 1);
        assertThat(received().keys()).doesNotHaveDuplicates();
        assertThat(log().count(EventLog.COMPLETE)).isEqualTo(3);

        app().send("{\"id\":7}", Map.of("order-id", "o7"));
        awaitDone(4);
        assertThat(received().attempts()).hasSize(3);
    }

    @Test
    void aCopyElsewhereThatIsMadeAnewIsANewOperationEachTime() {
        launch(ByField.class);
        does(2, (message, context) -> template().convertAndSend(app().name(), SETTLED, "{\"id\":7,\"again\":true}"));

        app().send("{\"id\":7}", Map.of());
        comesBack(settled(1).get(0));
        comesBack(settled(1).get(0));

        awaitDone(3);
        assertThat(received().keys()).doesNotHaveDuplicates().hasSize(3);
    }

    @Test
    void aRedeliveredCopyElsewhereIsADuplicateOfItself() {
        launch(ByField.class);
        does(1, (message, context) -> template().send(app().name(), SETTLED, message));

        app().send("{\"id\":7}", Map.of());
        Message parked = settled(1).get(0);
        comesBack(parked);
        comesBack(parked);

        awaitDone(3);
        assertThat(received().attempts()).containsExactly(1, 1);
    }

    @Test
    void aCopyElsewhereByAnotherThreadHasAKeyThatTheApplicationReads() {
        launch(ByField.class);
        does(
                1,
                (message, context) -> CompletableFuture.runAsync(
                                () -> template().send(app().name(), SETTLED, message))
                        .join());

        app().send("{\"id\":7}", Map.of());
        comesBack(settled(1).get(0));

        awaitDone(2);
        assertThat(received().attempts()).containsExactly(1, 1);
    }

    @Test
    void aScopeMayKeepAKeyThatTheApplicationReads() {
        launch(ByField.class, "idem.scopes.payments.keep-incoming-key=true");
        does(1, (message, context) -> template().send(app().name(), SETTLED, message));

        app().send("{\"id\":7}", Map.of());
        comesBack(settled(1).get(0));

        awaitDone(2);
        assertThat(received().attempts()).containsExactly(1);
    }

    @Test
    void severalMessagesWithOneKeyThatTheApplicationReadsAreAWarning() {
        launch(ByHeader.class);
        does(
                1,
                (message, context) -> Stream.of("x", "y", "z")
                        .forEach(item -> template().send(app().name(), SETTLED, with(message, item))));

        try (LoggedLines lines = new LoggedLines()) {
            app().send("one", Map.of("order-id", "o7"));
            settled(3).forEach(this::comesBack);
            awaitDone(4);

            assertThat(received().keys()).doesNotHaveDuplicates().hasSize(4);
            assertThat(lines.ofIdem(Level.WARN))
                    .filteredOn(line -> line.contains("several messages"))
                    .singleElement()
                    .asString()
                    .contains("\"payments\"", app().name() + "/" + SETTLED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cloudEvents:", "cloudEvents_", "ce-"})
    void itemsWithTheHeadersOfAnEventGetAnEventIdEach(String prefix) {
        for (String setting : List.of("idem.consumer.propagating-templates=true", OWN_TEMPLATE)) {
            launch(Raw.class, setting, "idem.consumer.key-sources=cloud-events");
            does(
                    1,
                    (message, context) -> Stream.of("x", "y", "z")
                            .forEach(item -> template().send(app().name(), SETTLED, with(message, item))));

            app().send("one", Map.of(prefix + "id", "e1", prefix + "source", "/shop"));

            List<Message> items = settled(3);
            assertThat(header(items, prefix + "id"))
                    .as(setting)
                    .doesNotHaveDuplicates()
                    .doesNotContainNull()
                    .doesNotContain("e1");
            assertThat(header(items, prefix + "source")).containsOnly("/shop");
            awaitDone(1);
            close();
        }
    }

    @Test
    void anEventThatComesBackIsALaterAttempt() {
        launch(Raw.class, "idem.consumer.key-sources=cloud-events");
        does(1, (message, context) -> template().send("", queue(), message));

        app().send("one", Map.of("cloudEvents:id", "e1", "cloudEvents:source", "/shop"));

        awaitDone(2);
        assertThat(received().attempts()).containsExactly(1, 2);
    }

    @Test
    void aMessageIdThatIsTheKeyIsTreatedLikeOne() {
        launch(Raw.class, "idem.consumer.key-sources=message-id");
        does(1, (message, context) -> {
            Stream.of("x", "y").forEach(item -> template().send(app().name(), SETTLED, with(message, item)));
            template().send("", queue(), message);
        });

        template().convertAndSend(app().name(), PAYMENTS, "one", message -> {
            message.getMessageProperties().setMessageId("k1");
            return message;
        });

        assertRanAgain(2);
        assertThat(settled(2))
                .extracting(message -> message.getMessageProperties().getMessageId())
                .doesNotHaveDuplicates()
                .doesNotContain("k1");
    }

    @Test
    void inAnInboxTheCopyLeavesAfterTheCommitAndRunsAgain() {
        launch(Inboxed.class);
        does(1, (message, context) -> {
            template().send("", queue(), message);
            template().send(app().name(), SETTLED, message);
        });

        send("k1", "one");

        assertRanAgain(2);
        assertThat(log().count(EventLog.COMMIT)).isEqualTo(2);
        assertThat(header(settled(1), IdempotencyHeaders.KEY)).doesNotContain("k1");
        assertThat(app().bean(MapInbox.class).rows().values()).noneMatch(row -> row.again());
    }

    /** A callback of the transaction sends it, and nothing commits after that. */
    @Test
    void aCopyAfterTheCommitOfAnInboxIsANewOperation() {
        launch(Inboxed.class);
        does(
                1,
                (message, context) -> app().bean(MapInbox.class)
                        .afterNextCommit(() -> template().send("", queue(), message)));

        send("k1", "one");

        awaitDone(2);
        assertThat(received().attempts()).containsExactly(1, 1);
        assertThat(received().keys()).startsWith("k1").doesNotHaveDuplicates();
        assertThat(log().count(EventLog.COMMIT)).isEqualTo(2);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void whatARecovererPublishesOutsideOfTheWorkKeepsTheKey() {
        launch(List.of(Raw.class, Recovering.class));
        does(3, (message, context) -> {
            throw new IllegalStateException("card refused");
        });

        send("k1", "one");

        assertThat(header(settled(1), IdempotencyHeaders.KEY)).containsExactly("k1");
        awaitDone(1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void whatAnErrorHandlerPublishesOutsideOfTheWorkKeepsTheKey() {
        launch(List.of(Handled.class, Handling.class));
        does(1, (message, context) -> {
            throw new IllegalStateException("card refused");
        });

        send("k1", "one");

        assertThat(header(settled(1), IdempotencyHeaders.KEY)).containsExactly("k1");
        awaitDone(1);
        assertThat(state("k1")).isEqualTo(RecordState.FAILED);
    }

    @Test
    void workThatNoMessageBroughtKeepsTheKeyThatItSets() throws Exception {
        launch(Raw.class);
        Operation operation = Operation.of(IdempotencyKey.of("k1"), new Scope("route"), ExecutionPolicy.defaults());

        app().bean(IdempotentExecutor.class).execute(operation, context -> {
            template()
                    .convertAndSend(
                            app().name(),
                            SETTLED,
                            "a",
                            message -> RabbitApplication.withHeaders(message, Map.of(IdempotencyHeaders.KEY, "k1")));
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });

        assertThat(header(settled(1), IdempotencyHeaders.KEY)).containsExactly("k1");
    }

    /** A queue takes it only after the work has waited for a while. */
    @Test
    void aCopyThatIsPublishedAgainHasTheSameKey() {
        launch(Raw.class);
        does(1, (message, context) -> template().send(app().name(), NOWHERE, message));

        send("k1", "one");
        awaitUntil(() -> !received().keys().isEmpty());
        app().bind(SETTLED, NOWHERE);

        String first = received()
                .context()
                .publications()
                .namedKey(app().name() + "/" + NOWHERE, "#1")
                .value();
        assertThat(header(settled(1), IdempotencyHeaders.KEY)).containsExactly(first);
        awaitDone(1);
    }

    /** Publishes from the work for a message. */
    @FunctionalInterface
    private interface Sending {
        void send(Message message, IdempotencyContext context) throws Exception;
    }

    /** The deliveries that the listeners of this test got. */
    static class Received implements Resettable {

        private final List<IdempotencyContext> contexts = new CopyOnWriteArrayList<>();
        private volatile int calls;
        private volatile Sending sending = (message, context) -> {};

        void first(int number, Sending does) {
            calls = number;
            sending = does;
        }

        void on(Message message, IdempotencyContext context) throws Exception {
            contexts.add(context);
            if (contexts.size() <= calls) {
                sending.send(message, context);
            }
        }

        List<Integer> attempts() {
            return contexts.stream().map(IdempotencyContext::attempt).toList();
        }

        List<String> keys() {
            return contexts.stream().map(context -> context.key().value()).toList();
        }

        IdempotencyContext context() {
            awaitUntil(() -> !contexts.isEmpty());
            return contexts.get(0);
        }

        @Override
        public void reset() {
            contexts.clear();
            first(0, (message, context) -> {});
        }
    }

    /** Takes messages as they come. */
    @Import(Received.class)
    static class Raw implements Resettable {

        private final Received received;

        Raw(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void on(Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }

        @Override
        public void reset() {}
    }

    /** Works on another thread, which has no context. */
    @Import(Received.class)
    static class Future implements Resettable {

        private final Received received;

        Future(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        CompletableFuture<Void> on(Message message, IdempotencyContext context) {
            return CompletableFuture.runAsync(() -> {
                try {
                    received.on(message, context);
                } catch (Exception failed) {
                    throw new CompletionException(failed);
                }
            });
        }

        @Override
        public void reset() {}
    }

    /** Has its key from the body. */
    @Import(Received.class)
    static class ByField implements Resettable {

        private final Received received;

        ByField(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, keyFields = "/id")
        void on(Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }

        @Override
        public void reset() {}
    }

    /** Has its key from a header of the application's own. */
    @Import(Received.class)
    static class ByHeader implements Resettable {

        private final Received received;

        ByHeader(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, key = "headers['order-id']")
        void on(Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }

        @Override
        public void reset() {}
    }

    /** Has its key from an argument. */
    @Import(Received.class)
    static class ByArgument implements Resettable {

        private final Received received;

        ByArgument(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, key = "#order")
        void on(@Header("order-id") String order, Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }

        @Override
        public void reset() {}
    }

    /** Works in an inbox. */
    @Import({Received.class, Rows.class})
    static class Inboxed {

        private final Received received;

        Inboxed(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, inbox = true)
        void on(Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }
    }

    /** An inbox whose commits are noted. */
    static class Rows {

        @Bean
        MapInbox inbox(EventLog log) {
            return MapInbox.observedBy(effect -> log.note(effect.isPresent() ? EventLog.COMMIT : EventLog.ROLLBACK));
        }
    }

    /** Leaves its failures to an error handler. */
    @Import(Received.class)
    static class Handled {

        private final Received received;

        Handled(Received received) {
            this.received = received;
        }

        @RabbitListener(queues = "${test.name}.payments", errorHandler = "moving")
        @IdempotentListener(scope = PAYMENTS)
        void on(Message message, IdempotencyContext context) throws Exception {
            received.on(message, context);
        }
    }

    static class Handling {

        @Bean
        RabbitListenerErrorHandler moving(RabbitTemplate template, Environment environment) {
            return (message, channel, converted, failure) -> {
                template.send(environment.getRequiredProperty("test.name"), SETTLED, message);
                return null;
            };
        }
    }

    /** Moves a message whose retries are used up. */
    static class Recovering {

        @Bean
        RepublishMessageRecoverer recoverer(RabbitTemplate template, Environment environment) {
            return new RepublishMessageRecoverer(template, environment.getRequiredProperty("test.name"), SETTLED);
        }
    }
}
