package io.idem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordSnapshot;
import io.idem.spi.RecordState;
import io.idem.spi.StoredResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureAfterTheEffectTest {

    private final InMemoryIdempotencyStore memory = new InMemoryIdempotencyStore();
    private final Operation operation =
            Operation.of(IdempotencyKey.of("k-1"), new Scope("payments"), ExecutionPolicy.defaults());

    @Test
    void a_store_that_breaks_while_completing_does_not_give_the_key_back() {
        try (IdempotentExecutor executor = new IdempotentExecutor(breaksOnComplete(), List::of, List.of())) {
            assertThatThrownBy(() -> executor.execute(
                            operation, context -> new Verdict.Complete<>("charged", StoredResult.NONE)))
                    .isInstanceOf(UnreadableRecordException.class);
        }

        assertThat(memory.inspect(operation.record()))
                .map(RecordSnapshot::state)
                .contains(RecordState.PENDING);
    }

    private IdempotencyStore breaksOnComplete() {
        return (IdempotencyStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {IdempotencyStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("complete")) {
                        throw new UnreadableRecordException(operation.record(), "a string of somebody else");
                    }
                    try {
                        return method.invoke(memory, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
