package io.idem.examples.payments;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.BindingBuilder;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.DirectExchange;
import org.springframework.amqp.core.FanoutExchange;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DeadLetterPublishingRecoverer;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;

@Configuration
class Messages {

    @Bean
    Declarables payments() {
        FanoutExchange dead = new FanoutExchange("payments.dead");
        Queue deadLetters = QueueBuilder.durable("payments.dead").build();
        DirectExchange exchange = new DirectExchange("payments");
        Queue requested = QueueBuilder.durable("payments.requested")
                .deadLetterExchange("payments.dead")
                .build();
        Binding toDead = BindingBuilder.bind(deadLetters).to(dead);
        Binding toQueue = BindingBuilder.bind(requested).to(exchange).with("payment.requested");
        return new Declarables(dead, deadLetters, toDead, exchange, requested, toQueue);
    }

    @Bean
    JacksonJsonMessageConverter rabbitMessages() {
        return new JacksonJsonMessageConverter();
    }

    @Bean
    ByteArrayJacksonJsonMessageConverter kafkaMessages() {
        return new ByteArrayJacksonJsonMessageConverter();
    }

    @Bean
    CommonErrorHandler kafkaDeadLetters(ProducerFactory<Object, Object> producers) {
        KafkaTemplate<Object, Object> bytes = new KafkaTemplate<>(
                producers, Map.of(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class));
        return new DefaultErrorHandler(new DeadLetterPublishingRecoverer(bytes)); // to payment.settled-dlt
    }
}
