package io.idem.workshop.chaos.worker;

import io.idem.Inbox;
import io.idem.spi.IdempotencyStore;
import java.nio.file.Path;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * Decorates the store with a log of grants and with the flaw, if one is set, below the decorator of the failpoints. An
 * inbox that is the store also gets the log of answers.
 */
@Configuration(proxyBeanMethods = false)
class Watching {

    /**
     * The return type is the concrete class, because Spring determines the order of post-processors from it before the
     * bean exists.
     */
    @Bean
    static Watcher watcher(Environment environment) {
        Flaw flaw = environment.getProperty(Names.FLAW, Flaw.class, Flaw.NONE);
        return new Watcher(
                new GrantLog(Path.of(environment.getRequiredProperty(Names.GRANTS))),
                new StoryLog(Path.of(environment.getRequiredProperty(Names.STORIES))),
                flaw);
    }

    private record Watcher(GrantLog log, StoryLog stories, Flaw flaw) implements BeanPostProcessor, Ordered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof Inbox inbox && inbox.failures().isPresent()) {
                return new WatchedInbox(inbox, log, stories, flaw);
            }
            return bean instanceof IdempotencyStore store && !(bean instanceof Inbox.Failures)
                    ? new WatchedStore(flaw.in(store), log)
                    : bean;
        }

        /** Runs before the post-processor of the failpoints, which has no order. */
        @Override
        public int getOrder() {
            return 0;
        }
    }
}
