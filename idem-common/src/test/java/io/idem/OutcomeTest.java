package io.idem;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.spi.ExecutionEnd;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OutcomeTest {

    private static final List<Outcome<String>> ALL = List.of(
            new Outcome.Executed<>("v", StoredResult.NONE),
            new Outcome.Released<>("v", false),
            new Outcome.RejectedNow<>("v", "no"),
            new Outcome.Superseded<>("v", StoredResult.NONE),
            new Outcome.Unrecorded<>("v", new Outcome.Obstacle.RecordLost(RecordState.ABSENT), () -> {
                throw new AssertionError("an end records nothing");
            }),
            new Outcome.Replayed<>(StoredResult.NONE),
            new Outcome.InProgress<>(Duration.ZERO),
            new Outcome.NotYet<>(Duration.ZERO),
            new Outcome.Mismatch<>(),
            new Outcome.Rejected<>("no"),
            new Outcome.Exhausted<>(3));

    @Test
    void everyOutcomeHasAnEndOfItsName() {
        Stream<Class<?>> permitted = Stream.<Class<?>>of(Outcome.Ran.class, Outcome.NotRun.class)
                .flatMap(kind -> Stream.of(kind.getPermittedSubclasses()));

        assertThat(ALL).map(Object::getClass).containsExactlyInAnyOrderElementsOf(permitted.toList());
        assertThat(ALL).map(outcome -> outcome.end()).containsExactlyInAnyOrder(Outcome.End.values());
        assertThat(ALL)
                .allSatisfy(outcome -> assertThat(outcome.end().name().replace("_", ""))
                        .isEqualToIgnoringCase(outcome.getClass().getSimpleName()));
    }

    @Test
    void anExecutionEndsAsItsOutcomeDoes() {
        assertThat(ALL)
                .allSatisfy(outcome -> assertThat(ExecutionEnd.of(outcome).name())
                        .isEqualTo(outcome.end().name()));
    }
}
