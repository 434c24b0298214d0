package io.idem.consumer.rabbit;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.junit.RequiresRabbitMq;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** What idempotent work publishes through templates of the application's own, or past all of them. */
@ExtendWith(OutputCaptureExtension.class)
@Tag("extended")
class RabbitOwnTemplatesTest extends RabbitScenario {

    private static final String SETTLED = "settled";

    private ListenerScript.Step publish(String routingKey) {
        return publish(() -> app().name(), () -> routingKey);
    }

    private ListenerScript.Step publish(Supplier<String> exchange, Supplier<String> routingKey) {
        return call -> {
            app().template().convertAndSend(exchange.get(), routingKey.get(), "published");
            return "done";
        };
    }

    /** The queue is made only after the work has waited for a while. */
    @Test
    void workIsNotDoneBeforeAQueueHasWhatItsOwnTemplatePublished() {
        launch(Mandatory.class);
        String later = app().name() + ".later";
        script().then(publish(() -> "", () -> later));

        send("k1", "one");
        awaitUntil(() -> app().bean(Mandatory.class).returned().size() >= 2);
        assertThat(state("k1")).isEqualTo(RecordState.PENDING);
        assertThat(log().count(EventLog.ACKNOWLEDGE)).isZero();
        app().bean(RabbitAdmin.class).declareQueue(new Queue(later));

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(1);
        Message settled = app().awaitMessage("later");
        app().bean(RabbitAdmin.class).deleteQueue(later);
        assertThat(keyed(settled)).isTrue();
        assertThat(settled.getBody())
                .as("processed once, as often as it is published")
                .asString(StandardCharsets.UTF_8)
                .isEqualTo("published, signed");
    }

    @Test
    @RequiresRabbitMq
    void workIsDoneAlthoughNobodyWantsWhatItsOwnTemplatePublished() {
        launch(Mandatory.class);
        script().then(publish(NOWHERE));

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(script().calls()).hasSize(1);
        assertThat(events(ConsumerEvent.Unroutable.class)).hasSize(1);
    }

    @Test
    void correlationDataOfTheApplicationsOwnMakingStaysItsOwn() {
        launch(Correlating.class);
        script().then(publish(SETTLED));

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(app().bean(Correlating.class).confirmed()).containsOnly("own");
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
    }

    @Test
    void aTemplateThatCannotBeWaitedForIsWarnedOfAtStartUp(CapturedOutput output) {
        launch(AutoListeners.class, "spring.rabbitmq.publisher-confirm-type=none");

        assertThat(warnings(output, "spring.rabbitmq.publisher-confirm-type"))
                .singleElement()
                .asString()
                .contains("\"rabbitTemplate\"");
    }

    @Test
    void aTemplateWhoseUnroutableMessagesAreDroppedIsWarnedOfAtStartUp(CapturedOutput output) {
        launch(Plain.class);

        assertThat(warnings(output, "no queue takes"))
                .singleElement()
                .asString()
                .contains("\"own\"");
    }

    @Test
    void templatesThatAreWaitedForAreNotWarnedOf(CapturedOutput output) {
        launch(Mandatory.class);

        assertThat(warnings(output, "spring.rabbitmq.publisher-confirm-type")).isEmpty();
    }

    @Test
    void aScopeThatPublishesPastIdemIsWarnedOfOnce(CapturedOutput output) {
        launch(AutoListeners.class);
        RabbitTemplate noBean = new RabbitTemplate(app().bean(ConnectionFactory.class));
        script().then(
                        call -> {
                            noBean.convertAndSend(app().name(), SETTLED, "by a template that is no bean");
                            return "done";
                        },
                        call -> app().template().execute(channel -> {
                            channel.basicPublish(app().name(), SETTLED, new BasicProperties(), new byte[0]);
                            return "done";
                        }));

        send("k1", "one");
        send("k2", "two");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(warnings(output, "gave no key")).singleElement().asString().contains("\"payments\"");
    }

    @Test
    void aPublicationOnAChannelIsWarnedOf(CapturedOutput output) {
        launch(AutoListeners.class);
        script().then(
                        publish(SETTLED),
                        call -> app().template().execute(channel -> {
                            channel.basicPublish(app().name(), SETTLED, new BasicProperties(), new byte[0]);
                            return "done";
                        }));

        send("k1", "one");
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(warnings(output, "gave no key")).isEmpty();
        send("k2", "two");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(warnings(output, "gave no key")).hasSize(1);
    }

    private static boolean keyed(Message message) {
        return message.getMessageProperties().getHeaders().containsKey(IdempotencyHeaders.KEY);
    }

    private static List<String> warnings(CapturedOutput output, String words) {
        return output.getAll()
                .lines()
                .filter(line -> line.contains("WARN") && line.contains(words))
                .toList();
    }

    /** Gets back what no queue takes. */
    @Import(AutoListeners.class)
    static class Mandatory {

        private final List<String> returned = new CopyOnWriteArrayList<>();

        List<String> returned() {
            return returned;
        }

        @Bean
        RabbitTemplate own(ConnectionFactory connections) {
            RabbitTemplate template = new RabbitTemplate(connections);
            template.setMandatory(true);
            template.addBeforePublishPostProcessors(Mandatory::signed);
            template.setReturnsCallback(message -> returned.add(message.getRoutingKey()));
            return template;
        }

        private static Message signed(Message message) {
            byte[] body = (new String(message.getBody(), StandardCharsets.UTF_8) + ", signed")
                    .getBytes(StandardCharsets.UTF_8);
            return new Message(body, message.getMessageProperties());
        }
    }

    @Import(AutoListeners.class)
    static class Plain {

        @Bean
        RabbitTemplate own(ConnectionFactory connections) {
            return new RabbitTemplate(connections);
        }
    }

    @Import(AutoListeners.class)
    static class Correlating {

        private final List<String> confirmed = new CopyOnWriteArrayList<>();

        List<String> confirmed() {
            return confirmed;
        }

        @Bean
        RabbitTemplate own(ConnectionFactory connections) {
            RabbitTemplate template = new RabbitTemplate(connections);
            template.setCorrelationDataPostProcessor((message, given) -> new CorrelationData("own"));
            template.setConfirmCallback((data, taken, cause) ->
                    Stream.ofNullable(data).map(CorrelationData::getId).forEach(confirmed::add));
            return template;
        }
    }
}
