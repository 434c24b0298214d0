package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class CallersTest {

    @Test
    void allCallersRunAtTheSameTime() throws Exception {
        CyclicBarrier together = new CyclicBarrier(3);
        AtomicInteger passed = new AtomicInteger();
        try (Callers callers = new Callers(3)) {
            callers.each(() -> {
                together.await(5, TimeUnit.MINUTES);
                passed.incrementAndGet();
            });
        }

        assertThat(passed).hasValue(3);
    }

    @Test
    void theFailureOfOneCallerIsPassedOn() {
        AtomicInteger first = new AtomicInteger();
        try (Callers callers = new Callers(2)) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> callers.each(() -> {
                        if (first.getAndIncrement() == 0) {
                            throw new IllegalStateException("refused");
                        }
                    }))
                    .withMessageContaining("refused");
        }
    }
}
