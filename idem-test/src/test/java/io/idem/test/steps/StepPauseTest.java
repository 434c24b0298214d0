package io.idem.test.steps;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.RecordId;
import io.idem.RecordState;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A process that is stopped with SIGSTOP inside the call of a step, beyond its lease, and goes on beside its successor. */
@Tag("extended")
class StepPauseTest {

    private static final String RERUN = "rerun";
    private static final String RECONCILE = "reconcile";
    private static final String REJECT = "reject";
    private static final List<Assignment> PAUSED = List.of(
            assignment(RERUN, Boundary.NOT_REMEMBERED),
            assignment(RECONCILE, Boundary.NOT_REMEMBERED),
            assignment(REJECT, Boundary.NOT_REMEMBERED));
    private static final List<Assignment> TAKING_OVER = List.of(
            assignment(RERUN, Boundary.BETWEEN_STEPS),
            assignment(RECONCILE, Boundary.BETWEEN_STEPS),
            assignment(REJECT, Boundary.BETWEEN_STEPS));

    private final Provider provider = new Provider();

    @AfterEach
    void stop() {
        provider.close();
    }

    private static Assignment assignment(String key, Boundary boundary) {
        return new Assignment(
                key, Rule.valueOf(key.toUpperCase(Locale.ROOT)), Optional.of(new Stop(boundary, Stop.FIRST_STEP)));
    }

    @ParameterizedTest
    @EnumSource(StepServer.Kind.class)
    void aProcessThatWasPausedInAStepChangesNoStepOfItsSuccessor(StepServer.Kind kind) {
        try (StepServer server = kind.start();
                StepWorker paused = StepWorker.start(provider, server, PAUSED)) {
            paused.awaitEach(keys());
            paused.sigstop();
            try (StepWorker successor = StepWorker.start(provider, server, TAKING_OVER)) {
                successor.awaitEach(keys());
                List<String> steps = steps(server);

                paused.sigcont();
                keys().forEach(paused::release);
                keys().forEach(paused::awaitDeferred);

                assertThat(steps(server)).isEqualTo(steps);
                List.of(RERUN, RECONCILE).forEach(successor::release);
                keys().forEach(successor::awaitSettled);
                keys().forEach(paused::awaitSettled);
            }
            checkCompleted(server, RERUN, 2);
            checkCompleted(server, RECONCILE, 1);
            assertThat(provider.book(REJECT).landings(Stop.FIRST_STEP)).isEqualTo(1);
            assertThat(provider.book(REJECT).returned(Stop.FIRST_STEP)).isEmpty();
            assertThat(server.state(StepWorkerMain.record(REJECT))).contains(RecordState.REJECTED);
        }
    }

    private static List<String> keys() {
        return PAUSED.stream().map(Assignment::key).toList();
    }

    private static List<String> steps(StepServer server) {
        return keys().stream().map(StepWorkerMain::record).map(server::steps).toList();
    }

    private void checkCompleted(StepServer server, String key, int landings) {
        Book book = provider.book(key);
        RecordId record = StepWorkerMain.record(key);
        assertThat(server.state(record)).as("%s: %s", key, book).contains(RecordState.COMPLETED);
        assertThat(book.landings(Stop.FIRST_STEP)).as("%s: %s", key, book).isEqualTo(landings);
        assertThat(book.landings(Stop.SECOND_STEP)).as("%s: %s", key, book).isEqualTo(1);
        assertThat(book.keys(Stop.FIRST_STEP)).as("%s: %s", key, book).hasSize(1);
        assertThat(book.returned(Stop.FIRST_STEP)).as("%s: %s", key, book).hasSize(1);
        assertThat(book.repeated()).as("%s: %s", key, book).isEmpty();
        await("no steps are left of " + key).pollDelay(Duration.ZERO).until(() -> server.hasNoSteps(record));
    }
}
