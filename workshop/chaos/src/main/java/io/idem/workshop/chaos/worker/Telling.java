package io.idem.workshop.chaos.worker;

import io.idem.Inbox;
import io.idem.spi.IdempotencyStore;
import java.nio.file.Path;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Decorates the store with a log of requests and answers, below the decorator of the failpoints. */
@Configuration(proxyBeanMethods = false)
class Telling {

    /**
     * The return type is the concrete class, because Spring determines the order of post-processors from it before the
     * bean exists.
     */
    @Bean
    static Teller teller(Environment environment) {
        return new Teller(new StoryLog(Path.of(environment.getRequiredProperty(Names.STORIES))));
    }

    private record Teller(StoryLog log) implements BeanPostProcessor, Ordered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            return bean instanceof IdempotencyStore store && !(bean instanceof Inbox.Failures)
                    ? new ToldStore(store, log)
                    : bean;
        }

        /** Runs before the post-processor of the failpoints, which has no order. */
        @Override
        public int getOrder() {
            return 1;
        }
    }
}
