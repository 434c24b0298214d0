package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.amqp.Environment;
import com.rabbitmq.client.amqp.impl.AmqpEnvironmentBuilder;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Idempotent;
import io.idem.Lease;
import io.idem.RecordId;
import io.idem.RecordState;
import io.idem.Scope;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.contract.OtherOwner;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbitmq.client.SingleAmqpConnectionFactory;
import org.springframework.amqp.rabbitmq.client.config.RabbitAmqpListenerContainerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Listeners behind RabbitMQ's AMQP 1.0 client, on a quorum queue with a small delivery limit. */
@RequiresRabbitMq
class AmqpOneTest extends RabbitScenario {

    private final String key = UUID.randomUUID().toString();

    @BeforeEach
    void launchWithAmqpOne() {
        launch(Listener.class, "idem.consumer.in-place-wait=500ms");
        // Only connections of the other protocol declare queues.
        app().bean(RabbitAdmin.class).initialize();
        requireNonNull(app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer("one"))
                .start();
    }

    @AfterEach
    void deleteQueues() {
        RabbitAdmin admin = app().bean(RabbitAdmin.class);
        admin.deleteQueue(app().name() + ".one");
        admin.deleteQueue(app().name() + ".one.dead");
        admin.deleteQueue(app().name() + ".plain");
    }

    private void sendToOne(String body) {
        app().template().convertAndSend("", app().name() + ".one", body, message -> {
            message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, key);
            return message;
        });
    }

    private long left() {
        return app().ready("one");
    }

    @Test
    void aMessageIsAcceptedAfterItsRecordIsCompleteAndItsDuplicateIsNotRun() {
        sendToOne("one");
        sendToOne("one");

        awaitUntil(() -> !events(ConsumerEvent.Duplicate.class).isEmpty());
        assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        assertThat(state(key)).isEqualTo(RecordState.COMPLETED);
        awaitUntil(() -> left() == 0);
        assertThat(app().receive("one.dead")).isNull();
    }

    /** A release counts as a return does: without growing waits the message would be gone after two more of half a second. */
    @Test
    void aMessageInProgressIsReleasedWithoutUsingUpItsDeliveryLimit() {
        Lease otherOwner = takeAsOtherOwner(key);
        sendToOne("one");

        awaitUntil(() -> events(ConsumerEvent.Deferred.class).size() == 2);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> script().bodies(PAYMENTS).size() == 1);
        awaitUntil(() -> state(key) == RecordState.COMPLETED);
        assertThat(app().receive("one.dead")).isNull();
    }

    @Test
    void aFailureGivesTheKeyBackAndTheContainerDecides() {
        script().then(ListenerScript.fail());

        sendToOne("one");

        awaitUntil(() -> state(key) == RecordState.COMPLETED);
        assertThat(script().bodies(PAYMENTS)).containsExactly("one", "one");
    }

    @Test
    void aMessageThatIsRefusedForGoodIsDiscardedAndDeadLetteredByItsQueue() {
        store().reject(takeAsOtherOwner(key), "no such account");

        sendToOne("one");

        Message letter = app().awaitMessage("one.dead");
        assertThat(new String(letter.getBody(), StandardCharsets.UTF_8)).isEqualTo("one");
        assertThat((String) letter.getMessageProperties().getHeader(IdempotencyHeaders.KEY))
                .isEqualTo(key);
        assertThat(script().calls()).isEmpty();
    }

    /** Without a wait its call would be a failure, of which the queue allows three. */
    @Test
    @Tag("extended")
    void aCallOfAPlainListenerWaitsAndItsMessageIsReleased() {
        Lease otherOwner = OtherOwner.take(store(), new RecordId(IdempotencyKey.of("plain"), new Scope("plain")));
        requireNonNull(app().bean(RabbitListenerEndpointRegistry.class).getListenerContainer("plain"))
                .start();
        app().template().convertAndSend("", app().name() + ".plain", "plain");

        awaitUntil(() -> store().asked() > 8);
        store().fail(otherOwner, Duration.ZERO);

        awaitUntil(() -> script().bodies("plain").equals(List.of("plain")));
        awaitUntil(() -> app().ready("plain") == 0);
        assertThat(app().receive("one.dead")).isNull();
    }

    static class Service {

        private final ListenerScript script;

        Service(ListenerScript script) {
            this.script = script;
        }

        @Idempotent(scope = "plain", key = "#body")
        String pay(String body) throws Exception {
            return script.run("plain", body, IdempotencyContext.current().orElseThrow());
        }
    }

    @Import(Service.class)
    static class Listener {

        private final ListenerScript script;
        private final Service service;

        Listener(ListenerScript script, Service service) {
            this.script = script;
            this.service = service;
        }

        @RabbitListener(id = "one", autoStartup = "false", queues = "${test.name}.one", containerFactory = "amqpOne")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @RabbitListener(
                id = "plain",
                autoStartup = "false",
                queues = "${test.name}.plain",
                containerFactory = "amqpOne")
        void onPlain(String body) throws Exception {
            service.pay(body);
        }

        @Bean
        static Queue plain(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".plain")
                    .quorum()
                    .deliveryLimit(3)
                    .deadLetterExchange("")
                    .deadLetterRoutingKey(name + ".one.dead")
                    .build();
        }

        @Bean
        static Queue dead(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".one.dead").build();
        }

        @Bean
        static Queue one(@Value("${test.name}") String name) {
            return QueueBuilder.durable(name + ".one")
                    .quorum()
                    .deliveryLimit(3)
                    .deadLetterExchange("")
                    .deadLetterRoutingKey(name + ".one.dead")
                    .build();
        }

        @Bean(destroyMethod = "close")
        static Environment amqpOneEnvironment() {
            RunningAmqp broker = SharedServers.amqp();
            return new AmqpEnvironmentBuilder()
                    .connectionSettings()
                    .host(broker.host())
                    .port(broker.port())
                    .username(broker.username())
                    .password(broker.password())
                    .virtualHost(broker.virtualHost())
                    .environmentBuilder()
                    .build();
        }

        @Bean
        static SingleAmqpConnectionFactory amqpOneConnections(Environment environment) {
            return new SingleAmqpConnectionFactory(environment);
        }

        @Bean
        static RabbitAmqpListenerContainerFactory amqpOne(SingleAmqpConnectionFactory connections) {
            return new RabbitAmqpListenerContainerFactory(connections);
        }
    }
}
