package io.idem.demo.payouts;

import org.apache.kafka.clients.admin.NewTopic;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.kafka.config.TopicBuilder;

/** The topic that payouts are requested on. */
@Configuration(proxyBeanMethods = false)
public class PayoutTopics {

    /** Requested payouts, straight from the intake. */
    public static final String PAYOUTS = "payouts.requested";

    private static final int PARTITIONS = 4;

    @Bean
    NewTopic payoutsTopic() {
        return TopicBuilder.name(PAYOUTS).partitions(PARTITIONS).build();
    }
}
