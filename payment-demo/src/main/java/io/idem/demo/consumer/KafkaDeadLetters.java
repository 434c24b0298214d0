package io.idem.demo.consumer;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.util.backoff.FixedBackOff;

/** Error handling of the Kafka listeners: a few more attempts, then the topic's dead-letter topic. */
@Configuration(proxyBeanMethods = false)
class KafkaDeadLetters {

    private static final long PAUSE_MILLIS = 200;
    private static final long RETRIES = 3;

    /** Writes the bytes of the record as they were received, since the bytes may be the cause of the failure. */
    @Bean
    CommonErrorHandler kafkaErrorHandler(ProducerFactory<Object, Object> producers) {
        KafkaTemplate<Object, Object> bytes = new KafkaTemplate<>(
                producers, Map.of(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class));
        return new DefaultErrorHandler(
                new DeadLetterPublishingRecoverer(bytes), new FixedBackOff(PAUSE_MILLIS, RETRIES));
    }
}
