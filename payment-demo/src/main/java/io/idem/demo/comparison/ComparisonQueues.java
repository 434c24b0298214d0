package io.idem.demo.comparison;

import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.QueueBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** The queues of the comparison, one for each mode. Their names are also the scopes. */
@Configuration(proxyBeanMethods = false)
@Profile("comparison")
public class ComparisonQueues {

    /** Handled with the inbox. */
    public static final String WITH_INBOX = "comparison.with-inbox";

    /** Handled with Redis alone. */
    public static final String REDIS_ALONE = "comparison.redis-alone";

    @Bean
    Declarables comparisonDeclarables() {
        return new Declarables(
                QueueBuilder.durable(WITH_INBOX).build(),
                QueueBuilder.durable(REDIS_ALONE).build());
    }
}
