package io.idem.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyTest {

    @Test
    void byDefaultDeterministicAnswersAreStoredAndPassingOnesFreeTheKey() {
        List<Integer> freeing = IntStream.rangeClosed(200, 499)
                .filter(status -> !StoredAnswers.DETERMINISTIC.stores(status))
                .boxed()
                .toList();

        assertThat(freeing)
                .containsExactly(
                        307, 308, 401, 403, 406, 407, 408, 409, 411, 412, 415, 417, 421, 423, 424, 425, 426, 428, 429,
                        431);
        assertThat(IntStream.rangeClosed(500, 599)).noneMatch(StoredAnswers.DETERMINISTIC::stores);
    }

    @ParameterizedTest
    @CsvSource({
        "EVERYTHING, 599, true",
        "DETERMINISTIC, 303, true",
        "DETERMINISTIC, 307, false",
        "BELOW_500, 308, false",
        "EVERYTHING, 307, true",
        "BELOW_500, 429, true",
        "BELOW_500, 500, false",
        "SUCCESS, 204, true",
        "SUCCESS, 300, false",
        "SUCCESS, 302, false"
    })
    void presetsStoreWhatTheirNameSays(StoredAnswers preset, int status, boolean stored) {
        assertThat(preset.stores(status)).isEqualTo(stored);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Set-Cookie",
                "WWW-Authenticate",
                "Authorization",
                "Connection",
                "Transfer-Encoding",
                "Content-Length",
                "Date",
                "Age",
                "Via",
                "traceparent",
                "X-B3-TraceId",
                "X-Request-Id"
            })
    void cookiesCredentialsConnectionAndTraceHeadersAreNeverStored(String name) {
        HeaderPolicy allowingIt = HeaderPolicy.of(List.of(name), List.of());

        assertThat(allowingIt.stores(name)).isFalse();
    }

    @Test
    void otherHeadersAreStoredUnlessDenied() {
        HeaderPolicy policy = HeaderPolicy.of(List.of(), List.of("X-Private"));

        assertThat(policy.stores("Location")).isTrue();
        assertThat(policy.stores("x-private")).isFalse();
    }

    @Test
    void anAllowListExcludesTheRest() {
        HeaderPolicy policy = HeaderPolicy.of(List.of("location"), List.of());

        assertThat(policy.stores("Location")).isTrue();
        assertThat(policy.stores("ETag")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Type", "content-encoding", "Content-Range"})
    void whatDescribesTheStoredBodyIsAlwaysStored(String name) {
        assertThat(HeaderPolicy.of(List.of("location"), List.of()).stores(name)).isTrue();
        assertThat(HeaderPolicy.of(List.of(), List.of(name)).stores(name)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 1", "1000, 1", "1001, 2", "29999, 30"})
    void retryAfterIsRoundedUpToWholeSeconds(long millis, long seconds) {
        Refusal refusal = Refusal.of(HttpProblem.IN_PROGRESS, "").retryAfter(Duration.ofMillis(millis));

        assertThat(refusal.retryAfterSeconds()).contains(seconds);
    }
}
