package io.idem.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ExecutionPolicy;
import io.idem.IdempotencyKey;
import io.idem.Operation;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.WorkResult;
import io.idem.engine.IdempotentExecutor;
import io.idem.memory.InMemoryIdempotencyStore;
import io.micrometer.common.KeyValue;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Steps are observed as parts of their execution, without anything of the application but their names. */
class ObservedStepsTest {

    private static final String SECRET = "4111-1111";

    private final ObservationRegistry registry = ObservationRegistry.create();
    private final List<Observation.Context> ended = new CopyOnWriteArrayList<>();
    private final IdempotentExecutor executor = IdempotentExecutor.on(new InMemoryIdempotencyStore())
            .observations(registry)
            .build();
    private final Operation operation =
            Operation.of(IdempotencyKey.of("k"), new Scope("payments"), ExecutionPolicy.defaults());

    ObservedStepsTest() {
        registry.observationConfig().observationHandler(new Ended(ended));
    }

    @Test
    void theWorkOfAStepIsAPartOfItsExecutionUntilItsResultIsStored() throws Exception {
        List<String> current = new CopyOnWriteArrayList<>();

        executor.execute(operation, work -> {
            String charged = work.step("charge", SECRET, String.class, step -> {
                current.add(name());
                return SECRET;
            });
            current.add(name());
            return new WorkResult.Complete<>(charged, StoredResult.NONE);
        });

        assertThat(current).containsExactly("step charge", "idem payments");
        assertThat(ended)
                .extracting(Observation.Context::getName)
                .containsExactly("idem.acquire", "idem.step.work", "idem.settle", "idem.execution");
        Observation.Context step = step();
        assertThat(step.getParentObservation()).isNotNull();
        assertThat(step.getParentObservation().getContextView().getName()).isEqualTo("idem.execution");
        assertThat(step.getAllKeyValues())
                .containsExactlyInAnyOrder(
                        KeyValue.of("scope", "payments"), KeyValue.of("step", "charge"), KeyValue.of("how", "ran"));
    }

    @Test
    void aStepWhoseResultIsRememberedIsNoPart() throws Exception {
        executor.execute(operation, work -> {
            var unused = work.step("charge", String.class, step -> SECRET);
            return new WorkResult.Release<>("", Duration.ZERO);
        });
        ended.clear();

        executor.execute(
                operation,
                work -> new WorkResult.Complete<>(
                        work.step("charge", String.class, step -> SECRET), StoredResult.NONE));

        assertThat(ended)
                .extracting(Observation.Context::getName)
                .containsExactly("idem.acquire", "idem.settle", "idem.execution");
    }

    @Test
    void aStepThatFailsDoesNotTellWhatItsExceptionSays() throws Exception {
        executor.execute(operation, work -> {
            try {
                var unused = work.step("charge", String.class, step -> {
                    throw new IllegalStateException(SECRET);
                });
            } catch (IllegalStateException expected) {
                assertThat(expected).hasMessage(SECRET);
            }
            return new WorkResult.Complete<>("", StoredResult.NONE);
        });

        assertThat(step().getLowCardinalityKeyValue("how")).isEqualTo(KeyValue.of("how", "failed"));
        assertThat(ended).allSatisfy(part -> {
            assertThat(part.getError()).isNull();
            assertThat(part.toString()).doesNotContain(SECRET);
        });
    }

    private Observation.Context step() {
        return ended.stream()
                .filter(part -> "idem.step.work".equals(part.getName()))
                .findFirst()
                .orElseThrow();
    }

    private String name() {
        Observation current = Objects.requireNonNull(registry.getCurrentObservation());
        return Objects.requireNonNull(current.getContextView().getContextualName());
    }

    private record Ended(List<Observation.Context> contexts) implements ObservationHandler<Observation.Context> {

        @Override
        public void onStop(Observation.Context context) {
            contexts.add(context);
        }

        @Override
        public boolean supportsContext(Observation.Context context) {
            return true;
        }
    }
}
