package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.OutgoingMessage;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.consumer.internal.rabbit.publish.OutgoingRabbitMessage;
import io.idem.consumer.internal.rabbit.publish.RabbitDestination;
import io.idem.consumer.internal.rabbit.publish.RoutedMessage;
import io.idem.consumer.internal.rabbit.send.RabbitOutgoingTransport;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.SimpleRoutingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.expression.common.LiteralExpression;

/** A message that an inbox row kept leaves as its template said when it was kept, whichever template publishes it. */
class KeptMessagesTest {

    /** The bytes that earlier versions kept of a message to exchange "events" with routing key "order.placed" and the body "old". */
    private static final String FIRST_FORMAT = "010006" + hex("events") + "000c" + hex("order.placed");

    private static final String SECOND_FORMAT =
            "020006" + hex("events") + "000c" + hex("order.placed") + "000b" + hex("connections");
    /** Weight, size of the body, flags: a delivery mode, and no other property. */
    private static final String CONTENT = "0000" + "0000000000000003" + "1000" + "02" + hex("old");

    private final ReturningBroker broker = new ReturningBroker();
    private final CachingConnectionFactory connections = new CachingConnectionFactory(broker);
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();
    private final IdempotentExecutor executor =
            IdempotentExecutor.on(new InMemoryIdempotencyStore()).build();
    private final RabbitTemplate keeping;
    private final RabbitOutgoingTransport transport;
    private int keys;

    KeptMessagesTest() {
        connections.setPublisherConfirmType(ConfirmType.CORRELATED);
        connections.setPublisherReturns(true);
        beans.registerSingleton("connections", connections);
        beans.registerSingleton("events", (ConsumerEventListener) events::add);
        RabbitConnections known = new RabbitConnections(beans);
        keeping = new RabbitTemplate(connections);
        keeping.setMandatory(true);
        new RabbitTemplateHook(() -> known, Unproved::proof).postProcessAfterInitialization(keeping, "keeping");
        transport = new RabbitOutgoingTransport(known, Duration.ofMinutes(1));
    }

    @AfterEach
    void close() {
        executor.close();
        connections.destroy();
        broker.close();
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns what a row keeps of a message of the work of scope "payments". */
    private OutgoingMessage kept(String exchange, Object delay) throws Exception {
        return kept(exchange, "order.placed", delay);
    }

    private OutgoingMessage kept(String exchange, String routingKey, Object delay) throws Exception {
        return kept(keeping, exchange, routingKey, delay);
    }

    private OutgoingMessage kept(RabbitTemplate template, String exchange, String routingKey, Object delay)
            throws Exception {
        Operation operation = Operation.of(
                IdempotencyKey.of("k" + ++keys),
                new Scope("payments"),
                ExecutionPolicy.of(Duration.ofMinutes(1), Duration.ofHours(1)));
        List<OutgoingMessage> kept = new ArrayList<>();
        executor.execute(operation, context -> {
            context.publications().keeping(true);
            template.convertAndSend(exchange, routingKey, "body", message -> {
                message.getMessageProperties().setHeader(MessageProperties.X_DELAY, delay);
                return message;
            });
            kept.addAll(context.publications().kept());
            context.publications().keeping(false);
            return new WorkResult.Complete<>("done", StoredResult.NONE);
        });
        return kept.get(0);
    }

    private static OutgoingMessage old(String format) {
        return new OutgoingMessage(
                "rabbit", "events/order.placed", HexFormat.of().parseHex(format + CONTENT));
    }

    private CompletableFuture<?> publish(OutgoingMessage message) {
        return transport.publish(message).toCompletableFuture();
    }

    @Test
    void anEventThatNobodyWantsIsCountedAndLeavesItsRow() throws Exception {
        publish(kept("events", 0)).get();

        assertThat(broker.published()).hasSize(3);
        assertThat(events)
                .containsExactly(
                        new ConsumerEvent.Unroutable(new Scope("payments"), "rabbit", "events", "order.placed"));
    }

    @Test
    void aMessageToAQueueThatIsMissingStaysInItsRow() throws Exception {
        OutgoingMessage kept = kept("", 0);

        assertThatThrownBy(() -> publish(kept).get()).hasMessageContaining("order.placed");
        assertThat(events).isEmpty();
    }

    @Test
    void aMessageLeavesAsItsTemplateSaidWhenItWasKept() throws Exception {
        keeping.setMandatory(false);
        OutgoingMessage kept = kept("events", 0);
        keeping.setMandatory(true);

        publish(kept).get();

        assertThat(broker.published())
                .singleElement()
                .satisfies(message -> assertThat(message.mandatory()).isFalse());
        assertThat(events).isEmpty();
    }

    /** A connection as Boot makes it by default; its template is set to "not mandatory" only because nobody would hear of it. */
    private CachingConnectionFactory withoutConfirms() {
        CachingConnectionFactory silent = new CachingConnectionFactory(broker);
        beans.registerSingleton("silent", silent);
        return silent;
    }

    private RabbitTemplate over(ConnectionFactory factory) {
        RabbitTemplate template = new RabbitTemplate(factory);
        new RabbitTemplateHook(() -> new RabbitConnections(beans), Unproved::proof)
                .postProcessAfterInitialization(template, "own");
        return template;
    }

    @Test
    void aMessageOfAConnectionWithoutReturnsLeavesAsMandatory() throws Exception {
        CachingConnectionFactory silent = withoutConfirms();

        publish(kept(over(silent), "events", "order.placed", 0)).get();

        assertThat(broker.published()).hasSize(3).allMatch(ReturningBroker.Published::mandatory);
        assertThat(events).hasSize(1);
        silent.destroy();
    }

    @Test
    void aMessageIsKeptForTheConnectionThatItsTemplateSelects() throws Exception {
        CachingConnectionFactory silent = withoutConfirms();
        SimpleRoutingConnectionFactory routing = new SimpleRoutingConnectionFactory();
        routing.setConsistentConfirmsReturns(false);
        routing.setDefaultTargetConnectionFactory(connections);
        routing.setTargetConnectionFactories(Map.of("other", silent));
        beans.registerSingleton("routing", routing);
        RabbitTemplate template = over(routing);
        template.setSendConnectionFactorySelectorExpression(new LiteralExpression("other"));

        OutgoingMessage kept = kept(template, "events", "order.placed", 0);

        assertThat(OutgoingRabbitMessage.decode(kept).connection()).contains("silent");
        silent.destroy();
    }

    @Test
    void aDelayedMessageLeavesItsRowOnce() throws Exception {
        broker.delaying("events");

        for (Object delay : List.of(500, "500")) {
            broker.published().clear();
            publish(kept("events", delay)).get();
            assertThat(broker.published()).as("%s", delay.getClass()).hasSize(1);
        }
        assertThat(broker.taken()).hasSize(2);
        assertThat(events).isEmpty();
    }

    /** Rows of earlier versions do not tell whether an intake kept them, so their messages must reach a queue. */
    @Test
    void rowsOfEarlierVersionsAreReadAndMustReachAQueue() {
        for (String format : List.of(FIRST_FORMAT, SECOND_FORMAT)) {
            OutgoingRabbitMessage read = OutgoingRabbitMessage.decode(old(format));
            assertThat(read.destination()).isEqualTo(new RabbitDestination("events", "order.placed"));
            assertThat(read.connection())
                    .isEqualTo(format.equals(FIRST_FORMAT) ? Optional.empty() : Optional.of("connections"));
            assertThat(read.message().getBody()).asString().isEqualTo("old");
            assertThatThrownBy(() -> publish(old(format)).get()).hasMessageContaining("order.placed");
        }
        assertThat(broker.published()).hasSize(2).allMatch(ReturningBroker.Published::mandatory);

        broker.bind("events", "order.placed");
        assertThat(publish(old(FIRST_FORMAT))).succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void aRowKeepsItsConnectionWhenAnotherOneIsAddedMeanwhile() throws Exception {
        OutgoingMessage kept = kept("events", 0);
        beans.registerSingleton("another", new CachingConnectionFactory("localhost", 1));
        broker.bind("events", "order.placed");

        assertThat(publish(kept)).succeedsWithin(Duration.ofMinutes(1));
        assertThatThrownBy(() -> publish(old(FIRST_FORMAT)).get()).hasMessageContaining("names no connection");
    }

    @Test
    void earlierVersionsReadWhatIsKeptForAQueueByItsName() throws Exception {
        assertThat(HexFormat.of().formatHex(kept("", 0).content()))
                .startsWith("020000" + "000c" + hex("order.placed") + "000b" + hex("connections"));
        assertThat(HexFormat.of().formatHex(kept("events", 0).content())).startsWith("03");
    }

    @ParameterizedTest
    @ValueSource(strings = {"amq.gen-JzTY20BRgKO-HjmUJj0wLg", "spring.gen-r0q5PzZ1Tg2mXw3kYb7aVw"})
    void anAnswerToAQueueWithAGeneratedNameThatIsGoneLeavesItsRow(String queue) throws Exception {
        publish(kept("", queue, 0)).get();

        assertThat(broker.published()).hasSize(3);
    }

    @Test
    void aRowOfALaterVersionIsLeftAlone() {
        OutgoingMessage later = new OutgoingMessage("rabbit", "events/order.placed", new byte[] {4});

        assertThatThrownBy(() -> publish(later).get()).hasMessageContaining("format 4");
    }

    @Test
    void aMessageOfTheIntakeMustReachAQueue() {
        OutgoingRabbitMessage message = OutgoingRabbitMessage.of(
                new RabbitDestination("events", "order.placed"), new RoutedMessage(new Message(new byte[0]), true));

        assertThatThrownBy(() -> publish(message.encode(Optional.empty())).get())
                .hasMessageContaining("order.placed");
        assertThat(broker.published()).hasSize(1);
    }
}
