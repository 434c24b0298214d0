package io.idem.examples.readings;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.support.converter.ByteArrayJacksonJsonMessageConverter;
import org.springframework.util.backoff.ExponentialBackOff;

@Configuration
class Messages {

    @Bean
    ByteArrayJacksonJsonMessageConverter kafkaMessages() {
        return new ByteArrayJacksonJsonMessageConverter();
    }

    @Bean
    CommonErrorHandler untilItSucceeds() {
        ExponentialBackOff pauses = new ExponentialBackOff(1_000, 2);
        pauses.setMaxInterval(30_000);
        return new DefaultErrorHandler(pauses);
    }
}
