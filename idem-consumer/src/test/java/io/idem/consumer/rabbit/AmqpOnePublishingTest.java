package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.rabbitmq.client.amqp.Environment;
import com.rabbitmq.client.amqp.impl.AmqpEnvironmentBuilder;
import io.idem.RecordState;
import io.idem.RefusedWorkException;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.rabbit.publish.IdempotencyHeadersPostProcessor;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.qpid.protonj2.client.ConnectionOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.client.AmqpClient;
import org.springframework.amqp.client.AmqpClient.SendSpec;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.ReceiveAndReplyMessageCallback;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbitmq.client.RabbitAmqpTemplate;
import org.springframework.amqp.rabbitmq.client.SingleAmqpConnectionFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;

/** Messages that idempotent work publishes over AMQP 1.0, on connections that are no beans. */
@RequiresRabbitMq
class AmqpOnePublishingTest extends RabbitScenario {

    private RabbitAmqpTemplate template() {
        return app().bean(RabbitAmqpTemplate.class);
    }

    /** Lets the work publish, and returns what is published first. */
    private Message published(ListenerScript.Step publish) {
        script().then(publish);
        send("k1", "one");
        return app().awaitMessage("settled");
    }

    private static @Nullable String key(Message message) {
        return message.getMessageProperties().getHeader(IdempotencyHeaders.KEY);
    }

    private static String body(Message message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }

    @Test
    void aMessageCarriesAKeyOfTheWorkHoweverItIsSent() {
        launch(List.of(AutoListeners.class, Clients.class));
        String queue = app().name() + ".settled";
        Message given = MessageBuilder.withBody("given".getBytes(StandardCharsets.UTF_8))
                .setHeader("own", "header")
                .build();
        template().setExchange(app().name());
        template().setRoutingKey("settled");

        Message first = published(call -> {
            Stream.of(
                            template().send(app().name(), "settled", given),
                            template().send(queue, given),
                            template().send(given),
                            template().convertAndSend(app().name(), "settled", "converted"),
                            template().convertAndSend(queue, "converted"),
                            template().convertAndSend((Object) "converted"),
                            template().convertAndSend(queue, "body", message -> {
                                message.getMessageProperties().setHeader("own", "processed");
                                return message;
                            }),
                            template()
                                    .convertAndSend(
                                            queue, (Object) "named", IdempotencyHeadersPostProcessor.named("receipt")))
                    .forEach(CompletableFuture::join);
            return "done";
        });

        List<Message> all = Stream.concat(Stream.of(first), Stream.generate(() -> app().awaitMessage("settled")))
                .limit(8)
                .toList();
        assertThat(all)
                .extracting(AmqpOnePublishingTest::body)
                .containsExactly("given", "given", "given", "converted", "converted", "converted", "body", "named");
        assertThat(all)
                .extracting(AmqpOnePublishingTest::key)
                .doesNotContainNull()
                .doesNotHaveDuplicates()
                .doesNotContain("k1");
        assertThat(all)
                .allSatisfy(message -> assertThat(message.getMessageProperties().getHeaders())
                        .containsEntry(IdempotencyHeaders.ROOT, "k1"));
        assertThat(all.get(0).getMessageProperties().getHeaders()).containsEntry("own", "header");
        assertThat(all.get(6).getMessageProperties().getHeaders()).containsEntry("own", "processed");
        assertThat(given.getMessageProperties().getHeaders()).containsOnlyKeys("own");
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
    }

    @Test
    void theWorkIsNotDoneUntilTheBrokerHasAcceptedItsMessage() {
        launch(List.of(AutoListeners.class, Clients.class));
        String later = app().name() + ".later";
        script().then(call -> {
            var unusedRefusal = template().convertAndSend(later, "refused until there is a queue");
            var unused = template().convertAndSend(app().name(), "settled", "accepted");
            return "done";
        });
        send("k1", "one");
        app().awaitMessage("settled");

        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        app().bean(RabbitAdmin.class).declareQueue(new Queue(later));
        try {
            awaitUntil(() -> state("k1") == RecordState.COMPLETED);
            assertThat(key(app().awaitMessage("later"))).isNotNull();
            assertThat(script().bodies(PAYMENTS)).containsExactly("one");
        } finally {
            app().bean(RabbitAdmin.class).deleteQueue(later);
        }
    }

    @Test
    void aCopyThatMeansLaterIsTheNextAttemptOfItsWork() {
        launch(List.of(AutoListeners.class, Clients.class));
        List<RecordState> states = new CopyOnWriteArrayList<>();
        script().then(
                        call -> {
                            var unused = template().convertAndSend(app().name(), PAYMENTS, "one", message -> {
                                message.getMessageProperties().setHeader(IdempotencyHeaders.KEY, "k1");
                                return message;
                            });
                            return "later";
                        },
                        call -> {
                            states.add(state("k1"));
                            return "done";
                        });

        send("k1", "one");

        awaitUntil(() -> !states.isEmpty() && state("k1") == RecordState.COMPLETED);
        assertThat(states).containsExactly(RecordState.PENDING);
    }

    @Test
    void anInboxRefusesAMessageBeforeItLeavesAndKeepsItsOwn() {
        launch(List.of(RabbitInboxTest.Listener.class, Clients.class));
        script().then(call -> {
            var unused = template().convertAndSend(app().name(), "settled", "too early");
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> !app().bean(ListenerStops.class).reasons().isEmpty());
        assertThat(app().bean(ListenerStops.class).reasons().toString()).contains("a RabbitTemplate bean");
        assertThat(app().stopAndCountUnsettled()).isOne();
        assertThat(app().receive("settled")).isNull();
    }

    /** Also inside an inbox, which could not keep it. */
    @Test
    void aRequestCarriesAKeyAndItsReplyComes() {
        launch(List.of(RabbitInboxTest.Listener.class, Clients.class));
        String queue = app().name() + ".settled";
        List<String> replies = new CopyOnWriteArrayList<>();
        script().then(call -> {
            replies.add(new String(
                    template().<byte[]>convertSendAndReceive(queue, "request").join(), StandardCharsets.UTF_8));
            return "done";
        });

        send("k1", "one");

        ReceiveAndReplyMessageCallback answer = request -> new Message(
                (body(request) + " " + key(request)).getBytes(StandardCharsets.UTF_8), new MessageProperties());
        assertThat(template().receiveAndReply(queue, answer).join()).isTrue();
        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(replies).singleElement().asString().startsWith("request ").doesNotEndWith("null");
    }

    @Test
    void outsideOfWorkMessagesLeaveAsEver() {
        launch(List.of(AutoListeners.class, Clients.class));

        assertThat(template().convertAndSend(app().name(), "settled", "plain").join())
                .isTrue();
        assertThat(client().to("/exchanges/" + app().name() + "/settled")
                        .body("plain")
                        .header("own", "header")
                        .send()
                        .join())
                .isTrue();

        assertThat(key(app().awaitMessage("settled"))).isNull();
        Message second = app().awaitMessage("settled");
        assertThat(key(second)).isNull();
        assertThat((String) second.getMessageProperties().getHeader("own")).isEqualTo("header");
    }

    private AmqpClient client() {
        return app().bean(AmqpClient.class);
    }

    @Test
    void aClientOfAnyBrokerIsRefusedInWorkBeforeAMessageLeaves() {
        launch(List.of(AutoListeners.class, Clients.class));
        String address = "/exchanges/" + app().name() + "/settled";
        SendSpec earlier = client().to(address);
        SendSpec.ConvertAndSendSpec prepared = earlier.body("prepared").priority(1);
        Message message = MessageBuilder.withBody("message".getBytes(StandardCharsets.UTF_8))
                .build();
        List<Callable<?>> sends = List.of(
                () -> client().to(address).body("body").priority(1).send().join(),
                () -> earlier.message(message).send().join(),
                () -> prepared.send().join(),
                () -> client().sendToDefault(message).join());
        List<Throwable> refusals = new CopyOnWriteArrayList<>();
        script().then(call -> {
            sends.forEach(send -> refusals.add(catchThrowable(send::call)));
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(refusals)
                .hasSize(sends.size())
                .allSatisfy(refusal -> assertThat(refusal)
                        .isInstanceOf(RefusedWorkException.class)
                        .hasMessageContaining("Publish it through a RabbitTemplate bean"));
        assertThat(app().receive("settled")).isNull();
    }

    static class Clients {

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
        static RabbitAmqpTemplate amqpOneTemplate(Environment environment) {
            return new RabbitAmqpTemplate(new SingleAmqpConnectionFactory(environment));
        }

        @Bean
        static AmqpClient amqpClient(@Value("${test.name}") String name) {
            RunningAmqp broker = SharedServers.amqp();
            return AmqpClient.builder(new org.springframework.amqp.client.SingleAmqpConnectionFactory()
                            .setHost(broker.host())
                            .setPort(broker.port())
                            .setConnectionOptions(new ConnectionOptions()
                                    .user(broker.username())
                                    .password(broker.password())
                                    .virtualHost("vhost:" + broker.virtualHost())))
                    .defaultToAddress("/exchanges/" + name + "/settled")
                    .build();
        }
    }
}
