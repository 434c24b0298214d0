package io.idem.applications.story;

import io.idem.Claim;
import io.idem.IdempotencyEvent;
import io.idem.IdempotencyEventListener;
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

    /** Counts the outcomes of deliveries to listeners, and of other calls. */
    static final class Deliveries implements ConsumerEventListener, IdempotencyEventListener {

        private final List<ConsumerEvent> events = new CopyOnWriteArrayList<>();
        private final List<Claim> claims = new CopyOnWriteArrayList<>();

        @Override
        public void on(ConsumerEvent event) {
            events.add(event);
        }

        @Override
        public void on(IdempotencyEvent event) {
            if (event instanceof IdempotencyEvent.Claimed claimed) {
                claims.add(claimed.claim());
            }
        }

        long duplicates(boolean ofListeners) {
            return ofListeners ? count(events, ConsumerEvent.Duplicate.class) : count(claims, Claim.Replay.class);
        }

        long deferrals(boolean ofListeners) {
            return ofListeners ? count(events, ConsumerEvent.Deferred.class) : count(claims, Claim.InProgress.class);
        }

        private static long count(List<?> all, Class<?> kind) {
            return all.stream().filter(kind::isInstance).count();
        }
    }
}
