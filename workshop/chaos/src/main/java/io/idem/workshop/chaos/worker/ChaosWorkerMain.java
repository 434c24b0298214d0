package io.idem.workshop.chaos.worker;

import io.idem.servers.process.ParentWatch;
import io.idem.workshop.child.TripwireConfiguration;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/**
 * Main class of a worker, with a listener for each lane and failpoints. Nothing but idem prevents duplicate rows in the
 * ledger.
 */
public final class ChaosWorkerMain {

    private static final long PAUSE_MILLIS = 200;
    private static final long RETRIES = 3;

    /** Shorter than Spring's default of five seconds, which would dominate the measured recovery times. */
    private static final long RECOVERY_MILLIS = 500;

    private ChaosWorkerMain() {}

    public static void main(String[] arguments) {
        ParentWatch.haltWithParent();
        new SpringApplicationBuilder(Worker.class)
                .web(WebApplicationType.NONE)
                .properties("spring.main.banner-mode=off", "spring.application.name=chaos-worker")
                .run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({
        TripwireConfiguration.class,
        Watching.class,
        Telling.class,
        StandingStill.class,
        Vitals.class,
        Acknowledgements.class,
        EarlyAcknowledgements.class,
        Effects.class,
        RabbitLanes.class,
        KafkaLanes.class,
        AloneLanes.class,
        Tenants.class
    })
    static class Worker {

        @Bean
        ContainerCustomizer<SimpleMessageListenerContainer> quickRecoveryAndCount(Environment environment) {
            CountedReturns returns = new CountedReturns(Path.of(environment.getRequiredProperty(Names.RETURNS)));
            return container -> {
                container.setRecoveryInterval(RECOVERY_MILLIS);
                // A connection that is cut during its handshake looks like a refused password, which stops a container
                // for good.
                container.setPossibleAuthenticationFailureFatal(false);
                container.addAfterReceivePostProcessors(returns);
            };
        }

        @Bean
        CommonErrorHandler kafkaErrorHandler(ProducerFactory<Object, Object> producers) {
            KafkaTemplate<Object, Object> bytes = new KafkaTemplate<>(
                    producers, Map.of(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class));
            return new DefaultErrorHandler(
                    new DeadLetterPublishingRecoverer(bytes), new FixedBackOff(PAUSE_MILLIS, RETRIES));
        }
    }
}
