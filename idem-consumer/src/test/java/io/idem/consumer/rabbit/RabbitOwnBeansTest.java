package io.idem.consumer.rabbit;

import static io.idem.consumer.contract.ConsumerApplication.FOR_BOTH;
import static io.idem.consumer.contract.ConsumerApplication.PAYMENTS;
import static io.idem.consumer.contract.ConsumerApplication.RECEIPTS;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.IdempotencyContext;
import io.idem.RecordState;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.IdempotentListener;
import io.idem.consumer.context.ContextArgumentResolver;
import io.idem.consumer.contract.EventLog;
import io.idem.consumer.contract.ListenerScript;
import io.idem.servers.RunningAmqp;
import io.idem.servers.SharedServers;
import io.idem.servers.spring.RabbitOfBoot;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.SenderContext;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.annotation.RabbitListenerConfigurer;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.support.DefaultMessageHandlerMethodFactory;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;
import org.springframework.validation.annotation.Validated;

/** What an application has defined for RabbitMQ stays in force beside idem. */
@Tag("extended")
class RabbitOwnBeansTest extends RabbitScenario {

    @Test
    void severalConnectionsAndFactoriesAreAllGuardedAndKeepApart() {
        launch(TwoConnections.class);

        for (int i = 0; i < 2; i++) {
            app().send(FOR_BOTH + " one", Map.of(IdempotencyHeaders.KEY, "k1"));
        }

        awaitUntil(() -> events(ConsumerEvent.Duplicate.class).size() == 2);
        assertThat(script().bodies(PAYMENTS)).hasSize(1);
        assertThat(script().bodies(RECEIPTS)).hasSize(1);
    }

    @Import(TwoConnections.Connections.class)
    static class TwoConnections {

        private final ListenerScript script;

        TwoConnections(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @RabbitListener(queues = "${test.name}.receipts", containerFactory = "second")
        @IdempotentListener(scope = RECEIPTS)
        void receipt(String body, IdempotencyContext context) throws Exception {
            script.run(RECEIPTS, body, context);
        }

        @Configuration(proxyBeanMethods = false)
        static class Connections {

            @Bean
            @Primary
            CachingConnectionFactory first() {
                return connection();
            }

            @Bean
            CachingConnectionFactory other() {
                return connection();
            }

            private static CachingConnectionFactory connection() {
                RunningAmqp broker = SharedServers.amqp();
                CachingConnectionFactory connection = new CachingConnectionFactory(broker.host(), broker.port());
                connection.setUsername(broker.username());
                connection.setPassword(broker.password());
                connection.setVirtualHost(broker.virtualHost());
                connection.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.CORRELATED);
                connection.setPublisherReturns(true);
                return connection;
            }

            @Bean
            DirectRabbitListenerContainerFactory second(@Qualifier("other") CachingConnectionFactory other) {
                DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
                factory.setConnectionFactory(other);
                return factory;
            }
        }
    }

    @Test
    void anOwnHandlerMethodFactoryValidatesBeforeALeaseIsTaken() {
        launch(Validating.class, NO_RETRY);

        send("k1", "refused");
        send("k2", "fine");
        send("k2", "fine");

        awaitUntil(() -> app().deadLetters().equals(List.of("refused")));
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 2);
        assertThat(script().bodies(PAYMENTS)).containsExactly("fine");
        assertThat(state("k1")).isEqualTo(RecordState.ABSENT);
    }

    /** Refuses a word, by a factory that knows idem's arguments because the application says so. */
    static class Validating {

        private final ListenerScript script;

        Validating(ListenerScript script) {
            this.script = script;
        }

        @RabbitListener(queues = "${test.name}.payments")
        @IdempotentListener(scope = PAYMENTS)
        void pay(@Payload @Validated String body, IdempotencyContext context) throws Exception {
            script.run(PAYMENTS, body, context);
        }

        @Bean
        static RabbitListenerConfigurer ownFactory() {
            DefaultMessageHandlerMethodFactory factory = new DefaultMessageHandlerMethodFactory();
            factory.setCustomArgumentResolvers(List.of(new ContextArgumentResolver()));
            factory.setValidator(new Refusing());
            factory.afterPropertiesSet();
            return registrar -> registrar.setMessageHandlerMethodFactory(factory);
        }
    }

    private static final class Refusing implements Validator {

        @Override
        public boolean supports(Class<?> type) {
            return true;
        }

        @Override
        public void validate(Object body, Errors errors) {
            if (body.equals("refused")) {
                errors.reject("refused");
            }
        }
    }

    @Test
    void customizersAndObservationsApplyAndAMessageHasOneTraceparent() {
        launch(
                Observed.class,
                "spring.rabbitmq.template.observation-enabled=true",
                "spring.rabbitmq.listener.simple.observation-enabled=true");
        script().then(call -> {
            app().template().convertAndSend(app().name(), "settled", "published");
            return "done";
        });

        send("k1", "one");

        Message published = app().awaitMessage("settled");
        Map<String, Object> headers = published.getMessageProperties().getHeaders();
        assertThat(headers).containsEntry("customized", "yes").containsKey(IdempotencyHeaders.KEY);
        assertThat(headers.keySet()).filteredOn("traceparent"::equalsIgnoreCase).hasSize(1);
        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(app().bean(Observed.class).stopped())
                .filteredOn(name -> name.contains("listener"))
                .hasSize(1);
    }

    @Import(AutoListeners.class)
    static class Observed implements ObservationHandler<Observation.Context> {

        private final List<String> stopped = new CopyOnWriteArrayList<>();

        List<String> stopped() {
            return stopped;
        }

        @Bean
        static BeanDefinitionRegistryPostProcessor own() {
            return RabbitOfBoot.templateCustomizer(template -> template.addBeforePublishPostProcessors(message -> {
                message.getMessageProperties().setHeader("customized", "yes");
                return message;
            }));
        }

        @Bean
        ObservationRegistry observations() {
            ObservationRegistry registry = ObservationRegistry.create();
            registry.observationConfig().observationHandler(this);
            return registry;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void onStart(Observation.Context context) {
            if (context instanceof SenderContext<?> sender) {
                SenderContext<Object> sent = (SenderContext<Object>) sender;
                sent.getSetter().set(Objects.requireNonNull(sent.getCarrier()), "traceparent", "00-1");
            }
        }

        @Override
        public void onStop(Observation.Context context) {
            stopped.add(String.valueOf(context.getName()));
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }

    @Test
    void correlationDataOfTheApplicationsOwnMakingIsWaitedFor() {
        launch(Correlating.class);
        script().then(call -> {
            app().template().convertAndSend(app().name(), "settled", "published");
            return "done";
        });

        send("k1", "one");

        awaitUntil(() -> log().count(EventLog.ACKNOWLEDGE) == 1);
        assertThat(state("k1")).isEqualTo(RecordState.COMPLETED);
        assertThat(app().awaitMessage("settled").getBody()).isEqualTo("published".getBytes(StandardCharsets.UTF_8));
        assertThat(app().receive("settled")).isNull();
    }

    /** Knows its messages by a correlation of its own. */
    @Import(AutoListeners.class)
    static class Correlating {

        @Bean
        static BeanDefinitionRegistryPostProcessor own() {
            return RabbitOfBoot.templateCustomizer(template -> template.setCorrelationDataPostProcessor(
                    (message, given) -> new CorrelationData(UUID.randomUUID().toString())));
        }
    }
}
