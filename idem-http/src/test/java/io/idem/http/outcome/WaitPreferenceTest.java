package io.idem.http.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WaitPreferenceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "wait=5",
                " WAIT = 5 ",
                "wait=\"5\"",
                "wait=5;foo=bar",
                "respond-async, wait=5",
                "x=\"a, wait=9\", wait=5",
                "x=\"a \\\" , wait=9\", wait=5",
                ",, wait=5, wait=7"
            })
    void theSecondsAreRead(String line) {
        assertThat(WaitPreference.in(List.of(line))).contains(Duration.ofSeconds(5));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "wait",
                "wait=",
                "wait=-1",
                "wait=5s",
                "wait=1e3",
                "wait=99999999999999999999",
                "wait=5=6",
                "waits=5",
                "x;wait=5",
                "x=\"wait=5",
                "\\",
                "\u00ff\u0000=,"
            })
    void whatIsNotUnderstoodIsIgnored(String line) {
        assertThat(WaitPreference.in(List.of(line))).isEmpty();
    }

    @Test
    void theFirstOfSeveralLinesCounts() {
        assertThat(WaitPreference.in(List.of("handling=lenient", "wait=3", "wait=4")))
                .contains(Duration.ofSeconds(3));
        assertThat(WaitPreference.in(List.of())).isEmpty();
    }
}
