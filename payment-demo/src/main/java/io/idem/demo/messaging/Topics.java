package io.idem.demo.messaging;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;
import org.springframework.kafka.core.KafkaAdmin;

/** The topics, each with its dead-letter topic; created by whoever connects first. */
@Configuration(proxyBeanMethods = false)
public class Topics {

    /** Payouts that were requested, straight from the intake. */
    public static final String PAYOUTS = "payouts.requested";

    /** Payments that were charged and written to the ledger. */
    public static final String PAYMENT_SETTLED = "payment.settled";

    /** What is put behind a topic's name for its dead letters. */
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
