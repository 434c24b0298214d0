package io.idem.workshop.chaos.worker;

import io.idem.spi.IdempotencyStore;
import java.nio.file.Path;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Puts a log of every key's story around the store; inside of the tripwire. */
@Configuration(proxyBeanMethods = false)
class Telling {

    /** By its own type: Spring asks that for an order before the bean is there. */
    @Bean
    static Teller teller(Environment environment) {
        return new Teller(new StoryLog(Path.of(environment.getRequiredProperty(Names.STORIES))));
    }

    private record Teller(StoryLog log) implements BeanPostProcessor, Ordered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            return bean instanceof IdempotencyStore store ? new ToldStore(store, log) : bean;
        }

        /** Before the tripwire's, which has no order. */
        @Override
        public int getOrder() {
            return 1;
        }
    }
}
