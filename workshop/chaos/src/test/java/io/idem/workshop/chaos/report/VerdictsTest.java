package io.idem.workshop.chaos.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.idem.workshop.chaos.check.Finding;
import io.idem.workshop.chaos.check.StepFinding;
import io.idem.workshop.chaos.fault.FaultClass;
import io.idem.workshop.chaos.worker.Lane;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that targets for recovery times are reported but fail no run. */
class VerdictsTest {

    static Stream<Arguments> recoveries() {
        return Stream.of(
                arguments(FaultClass.REDIS_RESTART, 4_999, true, "next effect less than 5 s after Redis returns"),
                arguments(FaultClass.REDIS_RESTART, 5_000, false, "next effect less than 5 s after Redis returns"),
                arguments(FaultClass.KAFKA_RESTART, 29_999, true, "next effect less than 30 s after Kafka returns"),
                arguments(FaultClass.KAFKA_RESTART, 147_068, false, "next effect less than 30 s after Kafka returns"));
    }

    @ParameterizedTest
    @MethodSource("recoveries")
    void theLongestRecoveryIsHeldAgainstTheTargetOfItsServer(
            FaultClass faultClass, long longest, boolean met, String target) {
        List<PhaseFigures> phases = List.of(phase(faultClass, longest));

        assertThat(Verdicts.of(phases))
                .filteredOn(verdict -> verdict.target().contains("next effect"))
                .singleElement()
                .satisfies(verdict -> assertThat(verdict.target()).contains(faultClass.id(), target))
                .returns(met, Verdict::met)
                .extracting(Verdict::figure)
                .isEqualTo(longest + " ms of " + 2 * Lane.values().length);
        assertThat(Complaints.of(phases, Map.of())).isEmpty();
    }

    private static PhaseFigures phase(FaultClass faultClass, long longest) {
        Distribution none = new Distribution(List.of());
        Distribution recovery = new Distribution(List.of(1_120L, longest));
        return new PhaseFigures(
                faultClass,
                2,
                0,
                10,
                100,
                true,
                none,
                Arrays.stream(Lane.values())
                        .map(lane -> new LaneFigures(
                                new Finding(
                                        lane.id(), 100, 100, 100, List.of(), List.of(), List.of(), List.of(), List.of(),
                                        List.of()),
                                2,
                                List.of(),
                                none,
                                none,
                                none,
                                recovery))
                        .toList(),
                StepFinding.NONE);
    }
}
