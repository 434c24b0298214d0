package io.idem.consumer.contract;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * Lets applications of tests start RabbitMQ's stream client only if something asks for it: closing it takes a second, and
 * it is there at all only because its jar is on the tests' class path.
 */
@AutoConfiguration
public class IdleStreams {

    private static final String ENVIRONMENT = "rabbitStreamEnvironment";

    @Bean
    static BeanFactoryPostProcessor streamsOnDemand() {
        return beans -> {
            if (beans.containsBeanDefinition(ENVIRONMENT)) {
                beans.getBeanDefinition(ENVIRONMENT).setLazyInit(true);
            }
        };
    }
}
