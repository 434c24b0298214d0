package io.idem.examples.outbox;

import org.springframework.amqp.support.converter.JacksonJsonMessageConverter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration
class Messages {

    @Bean
    JacksonJsonMessageConverter rabbitMessages() {
        return new JacksonJsonMessageConverter();
    }
}
