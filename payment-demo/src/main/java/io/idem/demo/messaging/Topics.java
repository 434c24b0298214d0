package io.idem.demo.messaging;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The topics, each with its dead-letter topic; created by the first process that connects. */
@Configuration(proxyBeanMethods = false)
public class Topics {

    /** The topic of requested payouts, published by the intake. */
    public static final String PAYOUTS = "payouts.requested";

    /** The topic of payments that are charged and written to the ledger. */
    public static final String PAYMENT_SETTLED = "payment.settled";

    /** The suffix of dead-letter topics. */
    public static final String DEAD_LETTERS = "-dlt";

    private static final int PARTITIONS = 4;

    @Bean
    KafkaAdmin.NewTopics declaredTopics() {
        return new KafkaAdmin.NewTopics(
                topic(PAYOUTS),
                topic(PAYOUTS + DEAD_LETTERS),
                topic(PAYMENT_SETTLED),
                topic(PAYMENT_SETTLED + DEAD_LETTERS));
    }

    private static NewTopic topic(String name) {
        return TopicBuilder.name(name).partitions(PARTITIONS).build();
    }
}
