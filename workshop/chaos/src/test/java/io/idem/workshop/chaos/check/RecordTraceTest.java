package io.idem.workshop.chaos.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecordTraceTest {

    private static final String RECORD = "idem:{key}:payments";

    private static List<String> lines(String... calls) {
        List<Transition> transitions =
                Stream.of(calls).map(call -> Transition.of(call.split(" "))).toList();
        return new RecordTrace(transitions).lines(false);
    }

    @Test
    void aCallThatAsksTwiceForARecordFindsItsOwnGrant() {
        assertThat(lines(
                        "7 9000000 acquire " + RECORD + " one 0 RETRY 19:1:5:8000 17:2:6:20000",
                        "7 9000000 acquire " + RECORD + " two 0 IN_PROGRESS 19:1:5:8000 17:2:6:20000"))
                .containsExactly(
                        "9000.000 ACQUIRE one 0 RETRY true PENDING 6 2",
                        "9000.000 ACQUIRE two 0 INPROGRESS false PENDING 6 2");
    }

    @Test
    void theComparisonEndsWhereAGrantIsTakenBack() {
        assertThat(lines(
                        "7 9000000 acquire " + RECORD + " one 0 FRESH 0:0:0:0 17:1:6:20000",
                        "7 9000001 withdraw " + RECORD + " one 6 OK 17:1:6:20000 19:0:6:9000",
                        "7 9000002 acquire " + RECORD + " two 0 RETRY 19:0:6:9000 17:1:7:20000"))
                .containsExactly("9000.000 ACQUIRE one 0 FRESH false PENDING 6 1");
    }
}
