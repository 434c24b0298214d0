package io.idem.consumer.rabbit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.key.HeaderText;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.publish.AwaitedPublications;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.send.ConfirmedPublisher;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.AmqpIOException;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.TopicExchange;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/** A message that RabbitMQ returns to the idempotent work that published it. */
@ExtendWith(OutputCaptureExtension.class)
class UnroutedMessagesTest {

    private static final String EVENTS = "events";
    private static final String PLACED = "order.placed";
    private static final String DELAY = "x-delay";

    private final ReturningBroker broker = new ReturningBroker();
    private final CachingConnectionFactory connections = new CachingConnectionFactory(broker);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final List<String> returned = new CopyOnWriteArrayList<>();
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();
    private final Operation operation = Operation.of(
            IdempotencyKey.of("k1"),
            new Scope("payments"),
            ExecutionPolicy.of(Duration.ofSeconds(2), Duration.ofHours(1)));

    UnroutedMessagesTest() {
        connections.setPublisherConfirmType(ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        beans.registerSingleton("connections", connections);
    }

    /** A factory cannot be destroyed while one of its channels goes back to its cache. */
    @AfterEach
    void close() {
        executor.close();
        await().ignoreException(ConcurrentModificationException.class).until(() -> {
            connections.destroy();
            return true;
        });
        broker.close();
    }

    private RabbitTemplate template() {
        return equipped(new RabbitTemplate(connections));
    }

    private RabbitTemplate equipped(RabbitTemplate template) {
        template.setMandatory(true);
        template.setReturnsCallback(message -> returned.add(message.getRoutingKey()));
        RabbitTemplateHook hook = new RabbitTemplateHook(() -> new RabbitConnections(beans), Unproved::proof);
        return (RabbitTemplate) hook.postProcessAfterInitialization(template, "template");
    }

    private Outcome<String> work(Consumer<IdempotencyContext> publishing) throws Exception {
        return executor.execute(operation, context -> {
            publishing.accept(context);
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });
    }

    private Outcome<String> publish(RabbitTemplate template, String exchange, Map<String, Object> headers)
            throws Exception {
        return work(context -> template.convertAndSend(exchange, PLACED, "body", message -> with(headers, message)));
    }

    private static Message with(Map<String, Object> headers, Message message) {
        headers.forEach(message.getMessageProperties()::setHeader);
        return message;
    }

    private static Stream<String> warnings(CapturedOutput output) {
        return output.getAll().lines().filter(line -> line.contains("WARN") && line.contains("is dropped"));
    }

    @Test
    void anEventThatNobodyWantsIsDroppedWithAWordAndItsWorkIsDone(CapturedOutput output) throws Exception {
        assertThat(publish(template(), EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(broker.published()).hasSize(3);
        assertThat(broker.published().stream()
                        .map(message -> message.properties().getMessageId())
                        .distinct())
                .hasSize(1);
        assertThat(warnings(output))
                .singleElement()
                .asString()
                .contains(
                        "\"events\"",
                        "\"order.placed\"",
                        "payments/" + operation.record().key().id());
        assertThat(returned).contains(PLACED);
    }

    @Test
    void aBrokerThatRefusesWhatItReturnsIsTreatedAlike() throws Exception {
        broker.refusingUnroutable();

        assertThat(publish(template(), EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);
        assertThat(broker.published()).hasSize(3);
    }

    @Test
    void anEventWhoseQueueIsBoundMeanwhileArrives(CapturedOutput output) throws Exception {
        broker.bindAfter(1);

        assertThat(publish(template(), EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(broker.taken()).hasSize(1);
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void aTemplateThatIsNotMandatoryAsksForNoReturn(CapturedOutput output) throws Exception {
        RabbitTemplate template = template();
        template.setMandatory(false);

        assertThat(publish(template, EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);

        assertThat(broker.published())
                .singleElement()
                .satisfies(message -> assertThat(message.mandatory()).isFalse());
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void aTemplateDecidesByMessageWhatIsMandatory() throws Exception {
        RabbitTemplate template = template();
        template.setMandatoryExpressionString("messageProperties.headers['important'] == true");

        assertThat(publish(template, EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);
        assertThat(broker.published()).hasSize(1);
    }

    @Test
    void aMessageToAQueueThatIsMissingIsRefusedUntilItIsThere() throws Exception {
        Outcome<String> refused = publish(template(), "", Map.of(DELAY, 500));
        assertThat(refused).isInstanceOf(Outcome.Unrecorded.class);
        assertThat(broker.published()).hasSizeLessThan(8);

        broker.bind("", PLACED);

        assertThat(((Outcome.Unrecorded<String>) refused).again().get()).isInstanceOf(Outcome.Executed.class);
        assertThat(broker.taken()).isNotEmpty();
        assertThat(broker.published().stream()
                        .map(message -> message.properties().getMessageId())
                        .distinct())
                .hasSize(1);
    }

    /** Of a requester that is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"amq.gen-JzTY20BRgKO-HjmUJj0wLg", "spring.gen-r0q5PzZ1Tg2mXw3kYb7aVw"})
    void aMessageToAQueueWithAGeneratedNameThatIsGoneIsDropped(String queue, CapturedOutput output) throws Exception {
        RabbitTemplate template = template();

        assertThat(work(context -> template.convertAndSend("", queue, "answer")))
                .isInstanceOf(Outcome.Executed.class);

        assertThat(broker.published()).hasSize(3);
        assertThat(warnings(output)).singleElement().asString().contains(queue);
    }

    static Stream<Arguments> delays() {
        TopicExchange flagged = new TopicExchange(EVENTS);
        flagged.setDelayed(true);
        CustomExchange typed = new CustomExchange(EVENTS, "x-delayed-message");
        return Stream.<Object>of(500, 500L, (short) 500, "500", 500.0)
                .flatMap(delay -> Stream.of(
                        Arguments.of(delay, List.of()),
                        Arguments.of(delay, List.of(flagged)),
                        Arguments.of(delay, List.of(typed)),
                        Arguments.of(delay, List.of(new Declarables(typed))),
                        Arguments.of(delay, List.of(new TopicExchange("others")))));
    }

    @ParameterizedTest
    @MethodSource("delays")
    void aDelayedMessageIsNoRefusal(Object delay, List<Object> declared, CapturedOutput output) throws Exception {
        broker.delaying(EVENTS);
        for (Object bean : declared) {
            beans.registerSingleton("declared", bean);
        }

        publish(template(), EVENTS, Map.of(DELAY, delay));

        assertThat(broker.taken()).hasSize(1);
        assertThat(broker.published()).hasSize(1);
        assertThat(warnings(output)).isEmpty();
    }

    @Test
    void aDelayThatATemplateSetsItselfIsSeen() throws Exception {
        broker.delaying(EVENTS);
        RabbitTemplate template = template();
        template.addBeforePublishPostProcessors(message -> with(Map.of(DELAY, 500), message));

        assertThat(publish(template, EVENTS, Map.of())).isInstanceOf(Outcome.Executed.class);
        assertThat(broker.published()).hasSize(1);
    }

    static Stream<Arguments> noDelays() {
        return Stream.of(
                Arguments.of(500, List.of(new TopicExchange(EVENTS))),
                Arguments.of(500, List.of(new Declarables(new TopicExchange(EVENTS)))),
                Arguments.of(0, List.of()),
                Arguments.of(-500, List.of()),
                Arguments.of("soon", List.of()),
                Arguments.of(0.5, List.of()));
    }

    @ParameterizedTest
    @MethodSource("noDelays")
    void withoutADelayAReturnMeansThatNobodyWantsTheMessage(Object delay, List<Object> declared, CapturedOutput output)
            throws Exception {
        for (Object bean : declared) {
            beans.registerSingleton("declared", bean);
        }

        assertThat(publish(template(), EVENTS, Map.of(DELAY, delay))).isInstanceOf(Outcome.Executed.class);

        assertThat(broker.published()).hasSize(3);
        assertThat(warnings(output)).hasSize(1);
    }

    @Test
    void whatIdemPublishesItselfMustReachAQueue() {
        ConfirmedPublisher publisher = new ConfirmedPublisher(connections, Duration.ofMinutes(1));
        Message letter = with(Map.of(DELAY, 500), new Message("letter".getBytes(StandardCharsets.UTF_8)));

        assertThat(publisher.publish("A dead letter", new RabbitDestination(EVENTS, PLACED), letter))
                .isFalse();
        assertThat(broker.published())
                .singleElement()
                .satisfies(message -> assertThat(message.mandatory()).isTrue());
    }

    @Test
    void aRequestLeavesAnInboxTransactionAtOnce() throws Exception {
        broker.bind("", PLACED);
        RabbitTemplate template = template();
        List<OutgoingMessage> kept = new ArrayList<>();

        work(context -> {
            context.publications().keeping(true);
            template.convertAndSend(
                    "", PLACED, (Object) "request", UnroutedMessagesTest::asking, new CorrelationData());
            await().until(() -> broker.taken().size() == 1);
            template.convertAndSend("", PLACED, "command of a saga", UnroutedMessagesTest::asking);
            assertThatThrownBy(() -> template.convertAndSend("", PLACED, (Object) "no request", new CorrelationData()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("CorrelationData");
            kept.addAll(context.publications().kept());
            context.publications().keeping(false);
        });

        assertThat(kept).hasSize(1);
        assertThat(broker.published())
                .extracting(ReturningBroker.Published::body)
                .containsExactly("request");
        assertThat(broker.published().get(0).properties().getHeaders()).containsKey("x-idempotency-key");
    }

    /** A request that a listener got and sends back to its queue is no request of its work. */
    @Test
    void aRequestThatComesBackIsAwaitedLikeEveryCopy() throws Exception {
        Message received = request("amq.rabbitmq.reply-to.x");

        executor.execute(operation.withMessage(brought(received)), context -> {
            template().send("", PLACED, received);
            assertThat(context.publications().drain()).hasSize(1);
            context.publications().keeping(true);
            assertThatThrownBy(() -> template().send("", PLACED, received, new CorrelationData()))
                    .isInstanceOf(IllegalStateException.class);
            context.publications().keeping(false);
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });
    }

    private static Received brought(Message request) {
        return new Received(
                new RabbitDelivery(request, () -> false),
                IdempotencyKey.of("k1"),
                "k1",
                message -> HeaderText.read(message, IdempotencyHeaders.KEY),
                false,
                new HashSet<>(),
                new HashSet<>());
    }

    private static Message request(String replyTo) {
        Message request = asking(with(Map.of(IdempotencyHeaders.KEY, "k1"), new Message(new byte[0])));
        request.getMessageProperties().setReplyTo(replyTo);
        request.getMessageProperties().setConsumerQueue(PLACED);
        return request;
    }

    /** The message that is still there brings the later attempt. */
    @Test
    void aCopyThatTheBrokerRefusesEndsItsAttempt() throws Exception {
        RabbitTemplate template = template();
        Message received = request("my.replies");

        assertThat(executor.execute(operation.withMessage(brought(received)), context -> {
                    template.send("", PLACED, received);
                    return new WorkResult.Complete<>("done", StoredResult.NONE);
                }))
                .isEqualTo(new Outcome.Released<>("done", false));
        assertThat(broker.published()).hasSize(3);
    }

    /** Its requester waits for the reply, and not the template. */
    @ParameterizedTest
    @ValueSource(strings = {"amq.rabbitmq.reply-to.g1h2", "amq.gen-JzTY20BRgKO-HjmUJj0wLg"})
    void aRequestThatIsHandedOnIsAwaited(String replyTo) throws Exception {
        Message received = request(replyTo);

        executor.execute(operation.withMessage(brought(received)), context -> {
            template().send("", "backend", received);
            assertThat(context.publications().drain()).hasSize(1);
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });
    }

    /** Also where it is published again. */
    @Test
    void aCopyFromWhichTheListenerWouldReadTheKeyOfTheWorkIsMarkedEachTime() throws Exception {
        Received brought = new Received(
                new RabbitDelivery(new Message("order 1".getBytes(UTF_8)), () -> false),
                IdempotencyKey.of("k1"),
                "k1",
                message -> Optional.of("k1"),
                false,
                new HashSet<>(),
                new HashSet<>());

        RabbitTemplate template = template();
        executor.execute(operation.withMessage(brought), context -> {
            template.convertAndSend(EVENTS, PLACED, "order 1");
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });

        assertThat(broker.published()).hasSize(3);
        assertThat(broker.published().stream()
                        .map(message -> message.properties().getHeaders().get(IdempotencyHeaders.DERIVED))
                        .distinct())
                .singleElement()
                .isNotNull();
    }

    /** Whether its message goes out once, or again because nobody takes it. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatATemplateChangesInItsSendIsChangedOnce(boolean wanted) throws Exception {
        broker.bindAfter(wanted ? 0 : 3);
        RabbitTemplate template = equipped(new Changing(connections));

        work(context -> template.convertAndSend("", "", "body"));

        assertThat(broker.published())
                .hasSize(wanted ? 1 : 3)
                .allSatisfy(message -> assertThat(List.of(message.body(), message.to()))
                        .containsExactly("body, sent, done", "events/order.placed"));
    }

    /** Routes and signs messages at each of its steps. */
    private static final class Changing extends RabbitTemplate {

        Changing(CachingConnectionFactory connections) {
            super(connections);
        }

        private static Message with(String text, Message message) {
            String body = new String(message.getBody(), UTF_8) + text;
            return new Message(body.getBytes(UTF_8), message.getMessageProperties());
        }

        @Override
        public void send(
                @Nullable String exchange, @Nullable String key, Message message, @Nullable CorrelationData data) {
            super.send(EVENTS + exchange, key, with(", sent", message), data);
        }

        @Override
        public void doSend(
                Channel channel,
                @Nullable String exchange,
                @Nullable String key,
                Message message,
                boolean mandatory,
                @Nullable CorrelationData data) {
            super.doSend(channel, exchange, PLACED + key, with(", done", message), mandatory, data);
        }
    }

    /** Also a message to which idem gives a key in the place of the one that it carries. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMessageHasOneKeyInAllTriesOfATemplate(boolean carriesTheKeyOfItsWork) throws Exception {
        broker.bind(EVENTS, PLACED);
        Message received = request("my.replies");
        Message message = carriesTheKeyOfItsWork ? received : new Message("body".getBytes(UTF_8));
        Object before = message.getMessageProperties().getHeader(IdempotencyHeaders.KEY);
        RabbitTemplate template = new RabbitTemplate(connections) {
            private int tries;

            @Override
            protected void sendToRabbit(Channel channel, String exchange, String key, boolean mandatory, Message sent) {
                super.sendToRabbit(channel, exchange, key, mandatory, sent);
                if (++tries % 3 != 0) {
                    throw new AmqpIOException("The connection broke", new IOException());
                }
            }
        };
        template.setRetryTemplate(
                new RetryTemplate(RetryPolicy.builder().delay(Duration.ZERO).build()));
        template.addBeforePublishPostProcessors(AwaitedPublications::copy);
        equipped(template);

        executor.execute(operation.withMessage(brought(received)), context -> {
            template.send(EVENTS, PLACED, message);
            assertThat(message.getMessageProperties().<Object>getHeader(IdempotencyHeaders.KEY))
                    .isEqualTo(before);
            template.send(EVENTS, PLACED, message);
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });

        await().untilAsserted(() -> assertThat(broker.published()).hasSize(6));
        List<Object> keys = broker.published().stream()
                .map(published -> published.properties().getHeaders().get(IdempotencyHeaders.KEY))
                .toList();
        assertThat(keys).doesNotContainNull();
        assertThat(keys.stream().distinct()).hasSize(2);
        assertThat(keys.stream().limit(3).distinct()).hasSize(1);
    }

    private static Message asking(Message message) {
        message.getMessageProperties().setReplyTo("replies");
        message.getMessageProperties().setCorrelationId("c1");
        return message;
    }
}
