package io.idem.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Admission;
import io.idem.ExecutionPolicy;
import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.memory.InMemoryIdempotencyStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Hooks that are told separately that a part begins and that it ended. */
class ContextBindingTest {

    @Test
    void aBindingGivesWayToTheContextBeforeIt() {
        try (IdempotentExecutor executor =
                IdempotentExecutor.on(new InMemoryIdempotencyStore()).build()) {
            IdempotencyContext outer = begin(executor, "outer");
            IdempotencyContext inner = begin(executor, "inner");

            IdempotencyContext.Binding outerBinding = outer.bind();
            IdempotencyContext.Binding innerBinding = inner.bind();
            assertThat(IdempotencyContext.current()).containsSame(inner);
            innerBinding.close();
            assertThat(IdempotencyContext.current()).containsSame(outer);
            outerBinding.close();
            assertThat(IdempotencyContext.current()).isEmpty();
        }
    }

    private static IdempotencyContext begin(IdempotentExecutor executor, String key) {
        Operation operation = Operation.of(
                IdempotencyKey.of(key),
                new Scope("payments"),
                ExecutionPolicy.defaults().withRetention(Duration.ofMinutes(5)));
        return ((Admission.Granted<Object>) executor.<Object>begin(operation))
                .operation()
                .context();
    }
}
