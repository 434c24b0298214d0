package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ConsumerAdapterContract.HopelessException;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.OtherOwner;
import io.idem.consumer.rabbit.deadletter.RabbitDeadLetterSource;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.DeadLetterRedriver.Order;
import io.idem.operations.RecordOperator;
import io.idem.servers.AmqpServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.ServerOptions;
import io.idem.servers.SharedServers;
import io.idem.spi.DeadLetterSource.Search;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;

/** An application on two brokers: what comes over one connection stays on it. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("extended")
class RabbitTwoBrokersTest extends RabbitScenario {

    private static final String[] TO_SETTLED = {
        "idem.consumer.rabbit.dead-letter.exchange=",
        "idem.consumer.rabbit.dead-letter.routing-key=${test.name}.settled"
    };

    private static @Nullable RunningAmqp second;

    @BeforeAll
    static void startSecondBroker() {
        second = AmqpServers.start(ServerOptions.own());
    }

    @AfterAll
    static void stopSecondBroker() {
        Objects.requireNonNull(second).close();
    }

    @Test
    void aDeadLetterStaysOnTheBrokerOfItsListenerAndNamesTheConnection() {
        launch(PaymentsHereReceiptsThere.class, TO_SETTLED);
        hopeless();

        put(there(), "receipts", letter("k1", "one"));

        Message letter = awaitMessage(there(), "settled");
        assertThat(letter.getMessageProperties().getHeaders())
                .containsEntry(IdempotencyHeaders.CONNECTION, "other")
                .containsEntry(IdempotencyHeaders.ORIGIN, app().name() + ".receipts");
        assertThat(app().receive("settled")).isNull();
    }

    @Test
    void aRedriveGoesOverTheConnectionOfItsLetter() {
        launch(PaymentsHereReceiptsThere.class, TO_SETTLED);
        hopeless();
        put(there(), "receipts", letter("k1", "one"));
        awaitUntil(() -> ready(there(), "settled") == 1);

        assertThat(redrive("k1", RECEIPTS)).isEqualTo(new Search.Moved(1, app().name() + ".receipts"));

        awaitUntil(() -> state("k1", RECEIPTS) == RecordState.COMPLETED);
        assertThat(script().bodies(RECEIPTS)).containsExactly("one", "one");
        assertThat(ready(there(), "settled")).isZero();
    }

    @Test
    void aLetterThatWasCarriedToAnotherBrokerGoesBackToTheOneItNames() {
        launch(PaymentsHereReceiptsThere.class, TO_SETTLED);
        store().reject(OtherOwner.take(store(), record("k1", RECEIPTS)), "no such account");
        put(here(), "settled", originating("receipts", "other"));

        assertThat(redrive("k1", RECEIPTS)).isInstanceOf(Search.Moved.class);

        awaitUntil(() -> state("k1", RECEIPTS) == RecordState.COMPLETED);
    }

    @Test
    void aLetterOfAConnectionThatTheApplicationHasNotIsRefusedAndStays() {
        launch(PaymentsHereReceiptsThere.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        put(here(), "settled", originating("payments", "gone"));

        assertThatThrownBy(() -> redrive("k1", PAYMENTS))
                .hasMessageContainingAll("\"gone\"", "rabbitConnectionFactory", "other");

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("one");
        assertThat(state("k1")).isEqualTo(RecordState.REJECTED);
    }

    @Test
    void anApplicationWithOneConnectionTakesEveryLetterForItsOwnAndNamesNone() {
        launch(AutoListeners.class, TO_SETTLED);
        store().reject(takeAsOtherOwner("k1"), "no such account");
        hopeless();
        put(here(), "settled", originating("payments", "gone"));

        assertThat(redrive("k1", PAYMENTS)).isInstanceOf(Search.Moved.class);

        Message letter = app().awaitMessage("settled");
        assertThat(letter.getMessageProperties().getHeaders())
                .containsKey(IdempotencyHeaders.REASON)
                .doesNotContainKey(IdempotencyHeaders.CONNECTION);
    }

    @Test
    void whatAnInboxKeptLeavesOverTheConnectionOfItsTemplate() {
        launch(Forwarding.class);

        send("k1", "one");

        assertThat(awaitMessage(there(), "settled").getBody()).asString().isEqualTo("settled one");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(app().receive("settled")).isNull();
    }

    @Test
    void oneListenerOnTwoConnectionsIsWarnedOfAtStartUp(CapturedOutput output) {
        launch(PaymentsHereAndThere.class);

        assertThat(output.getAll().lines())
                .filteredOn(line -> line.contains("WARN") && line.contains("PaymentsHereAndThere.pay receives"))
                .singleElement()
                .asString()
                .contains("idem.consumer.rabbit.tenant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"virtual-host", "connection"})
    void theSameKeyOfTwoHostsIsTwoTenants(String tenant, CapturedOutput output) {
        launch(PaymentsHereAndThere.class, "idem.consumer.rabbit.tenant=" + tenant);

        send("k1", "here");
        put(there(), "payments", letter("k1", "there"));
        put(there(), "payments", letter("k1", "again"));

        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 1
                && script().bodies(PAYMENTS).contains("here"));
        assertThat(script().bodies(PAYMENTS)).hasSize(2);
        assertThat(output).doesNotContain("receives over two connections");
    }

    @Test
    void aTenantThatTheMessageNamesIsNotTheHosts() {
        launch(PaymentsHereAndThere.class, "idem.consumer.rabbit.tenant=virtual-host");
        Message north = MessageBuilder.fromMessage(letter("k1", "one"))
                .setHeader(IdempotencyHeaders.TENANT, "north")
                .build();

        put(here(), "payments", north);
        awaitUntil(() -> script().bodies(PAYMENTS).size() == 1);
        put(there(), "payments", north);

        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 1);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
    }

    @Test
    void aLetterOfAHostsTenantIsFoundOnItsHost() {
        String[] settings = Stream.concat(Stream.of(TO_SETTLED), Stream.of("idem.consumer.rabbit.tenant=connection"))
                .toArray(String[]::new);
        launch(PaymentsHereAndThere.class, settings);
        hopeless();
        put(there(), "payments", letter("k1", "one"));
        awaitUntil(() -> ready(there(), "settled") == 1);

        IdempotencyKey key = new IdempotencyKey("other", "k1");
        assertThat(redrive(new RecordId(key, new Scope(PAYMENTS)))).isInstanceOf(Search.Moved.class);

        awaitUntil(() -> script().bodies(PAYMENTS).size() == 2);
    }

    private void hopeless() {
        script().then(call -> {
            throw new HopelessException("no such account");
        });
    }

    private RabbitTemplate here() {
        return new RabbitTemplate(app().bean("rabbitConnectionFactory", CachingConnectionFactory.class));
    }

    private RabbitTemplate there() {
        return new RabbitTemplate(app().bean("other", CachingConnectionFactory.class));
    }

    private void put(RabbitTemplate broker, String queue, Message message) {
        broker.send("", app().name() + "." + queue, message);
    }

    private long ready(RabbitTemplate broker, String queue) {
        return Objects.requireNonNull(new RabbitAdmin(broker).getQueueInfo(app().name() + "." + queue))
                .getMessageCount();
    }

    private Message awaitMessage(RabbitTemplate broker, String queue) {
        awaitUntil(() -> ready(broker, queue) > 0);
        return Objects.requireNonNull(broker.receive(app().name() + "." + queue));
    }

    private static Message letter(String key, String body) {
        return MessageBuilder.withBody(body.getBytes(StandardCharsets.UTF_8))
                .setContentType("text/plain")
                .setHeader(IdempotencyHeaders.KEY, key)
                .build();
    }

    private Message originating(String queue, String connection) {
        return MessageBuilder.fromMessage(letter("k1", "one"))
                .setHeader(IdempotencyHeaders.ORIGIN, app().name() + "." + queue)
                .setHeader(IdempotencyHeaders.CONNECTION, connection)
                .build();
    }

    private static RecordId record(String key, String scope) {
        return new RecordId(IdempotencyKey.of(key), new Scope(scope));
    }

    private RecordState state(String key, String scope) {
        return store().inspect(record(key, scope)).map(RecordSnapshot::state).orElse(RecordState.ABSENT);
    }

    private Search redrive(String key, String scope) {
        awaitUntil(() -> ready(here(), "settled") + settledThere() == 1);
        return redrive(record(key, scope));
    }

    private long settledThere() {
        return app().hasBean("other") ? ready(there(), "settled") : 0;
    }

    private Search redrive(RecordId record) {
        RecordOperator operator = new RecordOperator(store(), app().bean(ScopePolicies.class), act -> {});
        return new DeadLetterRedriver(store(), operator, List.of(app().bean(RabbitDeadLetterSource.class)))
                .redrive(new Order(record, app().name() + ".settled", "rabbit", 10), "anna", "ticket 7")
                .search()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    static class SecondBroker {

        @Bean
        @Primary
        CachingConnectionFactory rabbitConnectionFactory() {
            RunningAmqp broker = SharedServers.amqp();
            return confirming(broker, broker.virtualHost());
        }

        /** The same virtual host of the second broker goes by its own name. */
        @Bean
        CachingConnectionFactory other(Environment environment) {
            CachingConnectionFactory connection = confirming(Objects.requireNonNull(second), "default");
            RabbitAdmin admin = new RabbitAdmin(connection);
            String name = environment.getRequiredProperty("test.name");
            Stream.of("payments", "receipts", "settled")
                    .forEach(queue -> admin.declareQueue(new Queue(name + "." + queue)));
            return connection;
        }

        private static CachingConnectionFactory confirming(RunningAmqp broker, String virtualHost) {
            CachingConnectionFactory connection = new CachingConnectionFactory(broker.host(), broker.port());
            connection.setUsername(broker.username());
            connection.setPassword(broker.password());
            connection.setVirtualHost(virtualHost);
            connection.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
            connection.setPublisherReturns(true);
            return connection;
        }

        @Bean
        SimpleRabbitListenerContainerFactory there(@Qualifier("other") CachingConnectionFactory other) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            factory.setConnectionFactory(other);
            factory.setReceiveTimeout(50L);
            return factory;
        }
    }

    @Import(SecondBroker.class)
    static class PaymentsHereReceiptsThere {

        private final ListenerScript script;

        PaymentsHereReceiptsThere(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @RabbitListener(queues = "${test.name}.receipts", containerFactory = "there")
        @IdempotentListener(scope = RECEIPTS, rejectOn = HopelessException.class)
        void receipt(String body, IdempotencyContext context) throws Exception {
            script.run(RECEIPTS, body, context);
        }
    }

    @Import(SecondBroker.class)
    static class PaymentsHereAndThere {

        private final ListenerScript script;

        PaymentsHereAndThere(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @RabbitListener(queues = "${test.name}.payments", containerFactory = "there")
        @IdempotentListener(scope = PAYMENTS, rejectOn = HopelessException.class)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }
    }

    /** Publishes to the second broker inside an inbox transaction. */
    @Import({SecondBroker.class, RabbitInboxTest.Rows.class})
    static class Forwarding {

        @Bean
        @Primary
        RabbitTemplate rabbitTemplate(CachingConnectionFactory connections) {
            return new RabbitTemplate(connections);
        }

        @Bean
        RabbitTemplate otherTemplate(@Qualifier("other") CachingConnectionFactory other) {
            return new RabbitTemplate(other);
        }

        @Bean
        Forwarder forwarder(@Qualifier("otherTemplate") RabbitTemplate template, Environment environment) {
            return new Forwarder(template, environment.getRequiredProperty("test.name"));
        }
    }

    static class Forwarder {

        private final RabbitTemplate template;
        private final String name;

        Forwarder(RabbitTemplate template, String name) {
            this.template = template;
            this.name = name;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS, inbox = true)
        void pay(String body) {
            template.convertAndSend("", name + ".settled", "settled " + body);
        }
    }
}
