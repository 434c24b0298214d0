package io.idem.consumer.contract;

import io.idem.RecordId;
import io.idem.RecordSnapshot;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.PerRequestStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Counts how often somebody looks into the store, whether it answers or not. */
public final class CountedQuestions implements BeanPostProcessor {

    private final AtomicInteger count = new AtomicInteger();

    /** How often so far. */
    public int count() {
        return count.get();
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof IdempotencyStore store ? new Counting(store) : bean;
    }

    private final class Counting extends PerRequestStore {

        Counting(IdempotencyStore store) {
            super(store);
        }

        @Override
        public Optional<RecordSnapshot> inspect(RecordId record) {
            count.incrementAndGet();
            return super.inspect(record);
        }
    }
}
