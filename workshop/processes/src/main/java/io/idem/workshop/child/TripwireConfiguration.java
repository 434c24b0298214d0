package io.idem.workshop.child;

import io.idem.Inbox;
import io.idem.spi.IdempotencyStore;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Adds a tripwire to an application without changing its code, and announces when the application is up. */
@Configuration(proxyBeanMethods = false)
public class TripwireConfiguration {

    @Bean
    static Tripwire tripwire() {
        return new Tripwire();
    }

    @Bean
    static CurrentRecord currentRecord(Tripwire tripwire) {
        return new CurrentRecord(tripwire);
    }

    @Bean
    static BeanPostProcessor decorator(Tripwire tripwire, CurrentRecord current) {
        return new Decorator(tripwire, current);
    }

    @Bean
    ApplicationListener<ApplicationReadyEvent> announcer(Tripwire tripwire) {
        ControlServer control = new ControlServer(tripwire);
        return event ->
                Announcement.write(control.port(), event.getApplicationContext().getEnvironment());
    }

    /** Leaves the store of an inbox that is the only store alone: its work is claimed in the inbox. */
    private record Decorator(Tripwire tripwire, CurrentRecord current) implements BeanPostProcessor {

        @Override
        public Object postProcessAfterInitialization(Object bean, String beanName) {
            if (bean instanceof IdempotencyStore store && !(bean instanceof Inbox.Failures)) {
                return new StoreWithTripwire(store, tripwire, current);
            }
            if (bean instanceof Inbox inbox && inbox.failures().isPresent()) {
                return new InboxWithTripwire(inbox, tripwire, current);
            }
            return bean instanceof DataSource source ? new DataSourceWithTripwire(source, tripwire, current) : bean;
        }
    }
}
