package io.idem.demo.payments;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** The topic of settled payments. */
@Configuration(proxyBeanMethods = false)
class PaymentTopics {

    private static final int PARTITIONS = 4;

    @Bean
    NewTopic paymentSettledTopic() {
        return TopicBuilder.name(PaymentSettled.TOPIC).partitions(PARTITIONS).build();
    }
}
