package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import io.idem.RecordState;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.consumer.internal.rabbit.send.RabbitTemplateHook;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.AsyncRabbitTemplate;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory.ConfirmType;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitOperations;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.core.retry.RetryTemplate;

/** Inside an inbox each message is kept, whatever template sends it and whatever its connection confirms. */
class InboxTemplatesTest extends RabbitScenario {

    private static final int FAILURES = 6;
    private static final String RETRIES = "spring.rabbitmq.listener.simple.retry.max-retries=" + FAILURES;

    /** Boot's template, and templates that the application makes by itself. */
    private Map<String, RabbitOperations> templates() {
        Map<String, RabbitOperations> templates = new LinkedHashMap<>();
        templates.put("Boot's", app().template());
        templates.put("own", own());
        templates.put("mandatory", mandatory(own()));
        templates.put("subclass", bean(new Publishing(connections())));
        templates.put("transacted", transacted(own()));
        templates.put("publisher connection", publisherConnection(own()));
        templates.put("retries", retries());
        templates.put("two names", bean(own()));
        RabbitTemplate processed = own();
        processed.setBeforePublishPostProcessors(message -> message);
        templates.put("post-processors set later", processed);
        RabbitTemplate correlated = own();
        correlated.setCorrelationDataPostProcessor((message, data) -> data == null ? new CorrelationData() : data);
        templates.put("correlation data set later", correlated);
        RabbitTemplate retried = own();
        retried.setRetryTemplate(new RetryTemplate());
        templates.put("retries set later", retried);
        templates.put("spy", bean(Mockito.spy(own())));
        templates.put("interface", (RabbitOperations) new ProxyFactory(own()).getProxy());
        ProxyFactory ofClass = new ProxyFactory(own());
        ofClass.setProxyTargetClass(true);
        templates.put("class", (RabbitOperations) ofClass.getProxy());
        return templates;
    }

    private CachingConnectionFactory connections() {
        return app().bean(CachingConnectionFactory.class);
    }

    private RabbitTemplate own() {
        return bean(new RabbitTemplate(connections()));
    }

    /** Makes a template a bean, after the start. */
    private <T> T bean(T template) {
        app().bean(RabbitTemplateHook.class).postProcessAfterInitialization(template, "late");
        return template;
    }

    private static RabbitTemplate mandatory(RabbitTemplate template) {
        template.setMandatory(true);
        template.setReturnsCallback(returned -> {});
        template.setConfirmCallback((data, taken, cause) -> {});
        return template;
    }

    private static RabbitTemplate transacted(RabbitTemplate template) {
        template.setChannelTransacted(true);
        return template;
    }

    private static RabbitTemplate publisherConnection(RabbitTemplate template) {
        template.setUsePublisherConnection(true);
        return template;
    }

    private RabbitTemplate retries() {
        RabbitTemplate template = new RabbitTemplate(connections());
        template.setRetryTemplate(new RetryTemplate());
        return bean(template);
    }

    /** Adds to what a template does at each of its steps. */
    private static final class Publishing extends RabbitTemplate {

        Publishing(CachingConnectionFactory connections) {
            super(connections);
        }

        @Override
        public void send(
                @Nullable String exchange,
                @Nullable String routingKey,
                Message message,
                @Nullable CorrelationData correlationData) {
            super.send(exchange, routingKey, message, correlationData);
        }

        @Override
        public void doSend(
                Channel channel,
                @Nullable String exchange,
                @Nullable String routingKey,
                Message message,
                boolean mandatory,
                @Nullable CorrelationData correlationData) {
            super.doSend(channel, exchange, routingKey, message, mandatory, correlationData);
        }
    }

    @ParameterizedTest
    @EnumSource(ConfirmType.class)
    void ofAllAttemptsOnlyTheLastOneSendsItsMessage(ConfirmType confirms) {
        launch(
                RabbitInboxTest.Listener.class,
                "spring.rabbitmq.publisher-confirm-type=" + confirms.name(),
                "spring.rabbitmq.publisher-returns=false",
                RETRIES);

        templates().forEach((kind, template) -> {
            ListenerScript.Step publish = call -> {
                template.convertAndSend(app().name(), "settled", kind + " of " + call.body());
                assertThat(app().receive("settled"))
                        .as("left before the commit")
                        .isNull();
                return "done";
            };
            ListenerScript.Step fail = call -> {
                publish.run(call);
                return ListenerScript.fail().run(call);
            };
            script().then(Stream.generate(() -> fail).limit(FAILURES).toArray(ListenerScript.Step[]::new));
            script().then(publish);
            send(kind, "one");

            Message message = app().awaitMessage("settled");
            assertThat(message.getBody()).asString(StandardCharsets.UTF_8).isEqualTo(kind + " of one");
            assertThat(message.getMessageProperties().getHeaders()).containsKey(IdempotencyHeaders.KEY);
            awaitUntil(() -> state(kind) == RecordState.COMPLETED);
            assertThat(app().receive("settled")).as(kind).isNull();
        });
        assertThat(script().calls()).hasSize((FAILURES + 1) * templates().size());
    }

    @Test
    void whatIsSentWithinAnInvokeIsKeptAndTheRestIsTheBrokers() {
        launch(
                RabbitInboxTest.Listener.class,
                "spring.rabbitmq.publisher-confirm-type=simple",
                "spring.rabbitmq.publisher-returns=false");
        script().then(call -> app().template().invoke(template -> {
            template.convertAndSend(app().name(), "settled", "kept");
            template.waitForConfirmsOrDie(1000);
            assertThat(app().receive("settled")).as("left before the commit").isNull();
            template.execute(channel -> channel.queueDeclarePassive(app().name() + ".settled"));
            return "done";
        }));

        send("k1", "one");

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("kept");
    }

    /** The caller's message is as it was, so that it may be sent once more, as another message. */
    @Test
    void aMessageThatIsSentTwiceIsTwoMessages() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        script().then(call -> {
            Message message = new Message("twice".getBytes(StandardCharsets.UTF_8));
            app().template().send(app().name(), "settled", message);
            app().template().send(app().name(), "settled", message);
            assertThat(message.getMessageProperties().getHeaders()).doesNotContainKey(IdempotencyHeaders.KEY);
            return "done";
        });

        send("k1", "one");

        List<Message> messages = List.of(app().awaitMessage("settled"), app().awaitMessage("settled"));
        assertThat(messages.stream()
                        .map(message -> message.getMessageProperties().<Object>getHeader(IdempotencyHeaders.KEY)))
                .doesNotContainNull()
                .doesNotHaveDuplicates();
        assertThat(messages.stream()
                        .map(message -> message.getMessageProperties().getMessageId()))
                .doesNotHaveDuplicates();
    }

    @Test
    void whatPostProcessorsMadeOfAMessageIsKept() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        RabbitTemplate template = own();
        template.addBeforePublishPostProcessors(
                message -> new Message("signed".getBytes(StandardCharsets.UTF_8), message.getMessageProperties()));
        script().then(call -> {
            template.convertAndSend(app().name(), "settled", "plain");
            return "done";
        });

        send("k1", "one");

        assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("signed");
    }

    /** As without idem: the template acknowledges before it calls back. */
    @Test
    void whatFailedWorkReceivedByItselfDoesNotComeBack() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        RabbitTemplate template = own();
        String queue = app().name() + ".settled";
        app().template().convertAndSend("", queue, "received");
        List<Object> received = new CopyOnWriteArrayList<>();
        ListenerScript.Step receive = call -> {
            template.receiveAndReply(queue, (String body) -> received.add(body) ? "reply" : null, "", queue);
            assertThat(app().awaitMessage("settled").getBody()).asString().isEqualTo("reply");
            return ListenerScript.fail().run(call);
        };
        script().then(receive, call -> "done");

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(received).containsExactly("received");
        assertThat(app().receive("settled")).isNull();
    }

    @Test
    void aMessageWhoseConnectionNothingWouldFindLaterIsRefused() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        CachingConnectionFactory noBean = new CachingConnectionFactory("localhost");
        RabbitTemplate template = bean(new RabbitTemplate(noBean));
        List<Throwable> refused = refusedSend(template);

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        noBean.destroy();
        assertThat(refused)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("is no bean"));
    }

    @Test
    void retriesThatReplaceThoseOfIdemLetNoMessageLeave() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        RabbitTemplate template = own();
        template.setRetryTemplate(new RetryTemplate());
        List<Throwable> refused = refusedSend(template);

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(refused)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal).hasMessageContaining("setRetryTemplate"));
        assertThat(app().receive("settled")).isNull();
    }

    @Test
    void aTemplateThatPublishesPastItsPostProcessorsIsRefused() {
        launch(RabbitInboxTest.Listener.class, "spring.rabbitmq.publisher-confirm-type=none");
        RabbitTemplate template = bean(new RabbitTemplate(connections()) {
            @Override
            public void doSend(
                    Channel channel,
                    @Nullable String exchange,
                    @Nullable String routingKey,
                    Message message,
                    boolean mandatory,
                    @Nullable CorrelationData correlationData) {
                sendToRabbit(channel, String.valueOf(exchange), String.valueOf(routingKey), mandatory, message);
            }
        });
        List<Throwable> refused = refusedSend(template);

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(refused)
                .singleElement()
                .satisfies(refusal -> assertThat(refusal).hasStackTraceContaining("published past"));
    }

    /** Returns what the work of the next message is told when it sends. */
    private List<Throwable> refusedSend(RabbitTemplate template) {
        List<Throwable> refused = new CopyOnWriteArrayList<>();
        script().then(call -> {
            try {
                template.convertAndSend(app().name(), "settled", "lost");
            } catch (RuntimeException refusal) {
                refused.add(refusal);
            }
            return "done";
        });
        return refused;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @RequiresRabbitMq
    void requestsThatShareTheirPropertiesHaveKeysOfTheirOwn(boolean async) {
        launch(List.of(RabbitInboxTest.Listener.class, Echo.class));
        RabbitTemplate template = own();
        template.setUserIdExpressionString("'guest'");
        AsyncRabbitTemplate requests = new AsyncRabbitTemplate(template);
        requests.start();
        MessageProperties shared = new MessageProperties();
        List<String> answers = new CopyOnWriteArrayList<>();
        script().then(call -> {
            for (String body : List.of("one", "two")) {
                Message request = new Message(body.getBytes(StandardCharsets.UTF_8), shared);
                Message answer = async
                        ? requests.sendAndReceive("", app().name() + ".receipts", request)
                                .get(1, TimeUnit.MINUTES)
                        : template.sendAndReceive("", app().name() + ".receipts", request);
                answers.add(new String(Objects.requireNonNull(answer).getBody(), StandardCharsets.UTF_8));
            }
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> state("k1") == RecordState.COMPLETED);
        assertThat(answers).hasSize(2).doesNotHaveDuplicates().allMatch(answer -> answer.matches("key .+ of guest"));
        requests.stop();
        template.stop();
    }

    static class Echo {

        @RabbitListener(queues = "${test.name}.receipts")
        String answer(Message request) {
            MessageProperties properties = request.getMessageProperties();
            return "key " + properties.getHeader(IdempotencyHeaders.KEY) + " of " + properties.getReceivedUserId();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"direct", "temporary", "fixed"})
    void aRequestIsAnsweredBeforeTheCommit(String replies) {
        launch(List.of(RabbitInboxTest.Listener.class, RabbitInboxTest.Requests.class));
        RabbitTemplate template = own();
        template.setReplyTimeout(TIME_LIMIT.toMillis());
        template.setUseTemporaryReplyQueues(replies.equals("temporary"));
        SimpleMessageListenerContainer container = replies.equals("fixed") ? fixedReplies(template) : null;
        script().then(call -> {
            Object answer = template.convertSendAndReceive("", app().name() + ".receipts", call.body());
            assertThat(call.context().publications().drain()).as("awaited").isEmpty();
            assertThat(call.context().publications().kept()).isEmpty();
            return String.valueOf(answer);
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) >= 1 && state("k1") == RecordState.COMPLETED);
        assertThat(app().bean(RabbitInboxTest.Requests.class).answered()).containsExactly("one");
        assertThat(log().count(EventLog.COMMIT)).isEqualTo(1);
        template.stop();
        if (container != null) {
            container.stop();
        }
    }

    private SimpleMessageListenerContainer fixedReplies(RabbitTemplate template) {
        String queue = app().name() + ".replies";
        app().bean(RabbitAdmin.class).declareQueue(new Queue(queue, false, false, true));
        template.setReplyAddress(queue);
        SimpleMessageListenerContainer container = new SimpleMessageListenerContainer(connections());
        container.setQueueNames(queue);
        container.setMessageListener(template);
        container.start();
        return container;
    }
}
