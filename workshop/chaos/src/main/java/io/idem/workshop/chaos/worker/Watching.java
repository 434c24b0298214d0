package io.idem.workshop.chaos.worker;

import io.idem.spi.IdempotencyStore;
import java.nio.file.Path;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Puts a log of grants, and a flaw if one is asked for, around the store; inside of the tripwire. */
@Configuration(proxyBeanMethods = false)
class Watching {

    /** By its own type: Spring asks that for an order before the bean is there. */
    @Bean
    static Watcher watcher(Environment environment) {
        Flaw flaw = environment.getProperty(Names.FLAW, Flaw.class, Flaw.NONE);
        return new Watcher(new GrantLog(Path.of(environment.getRequiredProperty(Names.GRANTS))), flaw);
    }

    private record Watcher(GrantLog log, Flaw flaw) implements BeanPostProcessor, Ordered {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            return bean instanceof IdempotencyStore store ? new WatchedStore(flaw.in(store), log) : bean;
        }

        /** Before the tripwire's, which has no order. */
        @Override
        public int getOrder() {
            return 0;
        }
    }
}
