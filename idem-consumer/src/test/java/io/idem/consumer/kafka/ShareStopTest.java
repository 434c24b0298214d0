package io.idem.consumer.kafka;

import static io.idem.consumer.kafka.KafkaTestApplication.SCOPE;
import static io.idem.consumer.kafka.StoppedListeners.ID;
import static io.idem.consumer.kafka.StoppedListeners.SWALLOWED;
import static io.idem.consumer.kafka.StoppedListeners.assertUnhealthyBecause;
import static io.idem.consumer.kafka.StoppedListeners.container;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.delivery.ListenerStops;
import io.idem.consumer.kafka.KafkaTestApplication.Journal;
import io.idem.consumer.kafka.StoppedListeners.Swallowing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.config.ShareKafkaListenerContainerFactory;
import org.springframework.kafka.core.DefaultShareConsumerFactory;

/** A share group's record that idem cannot decide stops its container, and is neither accepted nor archived. Alone as {@link ShareGroupTest}. */
@Tag("extended")
@Tag("alone")
class ShareStopTest {

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofMinutes(2));
    }

    static class Payments {

        private final Journal journal;

        Payments(Journal journal) {
            this.journal = journal;
        }

        @KafkaListener(id = ID, groupId = "${test.topic}", topics = "${test.topic}", containerFactory = "shares")
        @IdempotentListener(scope = SCOPE)
        void pay(String body) {
            journal.write(body);
        }
    }

    /** Its recoverer is Spring's, which has the broker archive what failed. */
    static class Factory {

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> shares(Environment environment) {
            readFromTheBeginning(environment.getRequiredProperty("test.topic"));
            return new ShareKafkaListenerContainerFactory<>(new DefaultShareConsumerFactory<>(Map.of(
                    "bootstrap.servers",
                    KafkaTestApplication.bootstrapServers(),
                    "key.deserializer",
                    StringDeserializer.class,
                    "value.deserializer",
                    StringDeserializer.class)));
        }

        private static void readFromTheBeginning(String group) {
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", KafkaTestApplication.bootstrapServers()))) {
                admin.incrementalAlterConfigs(Map.of(
                                new ConfigResource(ConfigResource.Type.GROUP, group),
                                List.of(new AlterConfigOp(
                                        new ConfigEntry("share.auto.offset.reset", "earliest"),
                                        AlterConfigOp.OpType.SET))))
                        .all()
                        .get();
            } catch (InterruptedException | ExecutionException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** An advice of the factory that takes every failure over, behind the hook. */
    static class AdvisedFactory {

        @Bean
        static ShareKafkaListenerContainerFactory<String, String> shares(Environment environment) {
            ShareKafkaListenerContainerFactory<String, String> factory = Factory.shares(environment);
            factory.getContainerProperties().setAdviceChain((MethodInterceptor) call -> {
                try {
                    return call.proceed();
                } catch (Exception failure) {
                    return null;
                }
            });
            return factory;
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Factory.class, AdvisedFactory.class})
    void aListenerThatIsNotCalledStopsItsContainerAndAnotherOneTakesOver(Class<?> factory) {
        try (KafkaTestApplication application = KafkaTestApplication.with(Payments.class, Swallowing.class, factory)
                .start()) {
            application.send("k1", SWALLOWED);

            await().until(() -> !application.bean(ListenerStops.class).reasons().isEmpty());
            await().until(() -> !container(application).isRunning());
            assertUnhealthyBecause(application, "Payments.pay was not called for a message");
            assertThat(application.journal().entries()).isEmpty();

            try (KafkaTestApplication mended = KafkaTestApplication.with(Payments.class, factory)
                    .beside(application)
                    .start()) {
                await().until(() -> mended.journal().entries().equals(List.of(SWALLOWED)));
            }
        }
    }
}
