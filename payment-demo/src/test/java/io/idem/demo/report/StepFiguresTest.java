package io.idem.demo.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.demo.watch.WorkerEvent;
import io.idem.demo.watch.WorkerEvent.What;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepFiguresTest {

    private static WorkerEvent call(String key) {
        return event(What.CALLED, key, "key of the call");
    }

    private static WorkerEvent step(String key, String how) {
        return event(What.STEP_ENDED, key, how + " charge");
    }

    private static WorkerEvent event(What what, String key, String detail) {
        return new WorkerEvent("payments-1", 1, what, "payments", key, detail, 1, 0);
    }

    @Test
    void aCallAfterOneThatWasCutOffIsNotARepetition() {
        assertThat(StepFigures.of(List.of(call("k"), call("k"), step("k", "RAN"), step("k", "REMEMBERED"))))
                .isEqualTo(new StepFigures(2, 1, 0));
    }

    @Test
    void aCallAfterARememberedAnswerIsARepetition() {
        assertThat(StepFigures.of(List.of(call("k"), step("k", "RAN"), call("k"), call("other"))))
                .isEqualTo(new StepFigures(3, 0, 1));
    }

    @Test
    void aCallAfterAFailureIsNotARepetition() {
        assertThat(StepFigures.of(List.of(call("k"), step("k", "FAILED"), call("k"))))
                .isEqualTo(new StepFigures(2, 0, 0));
    }
}
