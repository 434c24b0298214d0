package io.idem.internal.method;

import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class MemoryMethodsTest extends MethodContract {

    private final InMemoryIdempotencyStore store = new InMemoryIdempotencyStore();

    @Override
    ApplicationContextRunner application() {
        return new ApplicationContextRunner().withBean(IdempotencyStore.class, () -> store);
    }
}
