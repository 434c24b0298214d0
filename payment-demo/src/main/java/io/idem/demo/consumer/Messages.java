package io.idem.demo.consumer;

import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;

/** Bodies are JSON, read as the type that the listener takes. */
@Configuration(proxyBeanMethods = false)
class Messages {

    @Bean
    JacksonJsonMessageConverter rabbitMessages() {
        return new JacksonJsonMessageConverter();
    }

    @Bean
    ByteArrayJacksonJsonMessageConverter kafkaMessages() {
        return new ByteArrayJacksonJsonMessageConverter();
    }
}
