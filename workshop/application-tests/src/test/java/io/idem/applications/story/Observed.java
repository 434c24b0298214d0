package io.idem.applications.story;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.ConsumerEventListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The main class of every application: adds the shop and the meters to the application's own classes. */
@Configuration(proxyBeanMethods = false)
class Observed {

    @Bean
    Ledger ledger(StringRedisTemplate redis) {
        return new Ledger(redis);
    }

    @Bean
    Deliveries deliveries() {
        return new Deliveries();
    }

    /** Counts the outcomes of deliveries. */
    static final class Deliveries implements ConsumerEventListener {

        private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();

        @Override
        public void on(ConsumerEvent event) {
            events.add(event);
        }

        long duplicates() {
            return events.stream()
                    .filter(ConsumerEvent.Duplicate.class::isInstance)
                    .count();
        }

        long deferrals() {
            return events.stream()
                    .filter(ConsumerEvent.Deferred.class::isInstance)
                    .count();
        }
    }
}
