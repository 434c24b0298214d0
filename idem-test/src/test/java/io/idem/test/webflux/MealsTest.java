package io.idem.test.webflux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.test.CrashPoint;
import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import io.idem.test.http.WebTestClientRequests;
import io.idem.test.spring.IdempotencyTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.reactive.server.EntityExchangeResult;

/** WebFlux without a server. */
@SpringBootTest(properties = "spring.main.web-application-type=reactive")
@IdempotencyTest
@Tag("servers")
class MealsTest {

    private final TestIdempotency idempotency;
    private final WebTestClientRequests requests;

    @Autowired
    MealsTest(TestIdempotency idempotency, WebTestClientRequests requests) {
        this.idempotency = idempotency;
        this.requests = requests;
    }

    private Rehearsal<EntityExchangeResult<String>> soup() {
        return requests.post("/meals", "m-1", "{\"soup\":1}");
    }

    private static int status(EntityExchangeResult<String> answer) {
        return answer.getStatus().value();
    }

    @Test
    void aRetryGetsTheFirstAnswer() {
        List<EntityExchangeResult<String>> answers =
                requests.post("/meals", "m-1", "{\"soup\":1}").twice();

        assertThat(answers.get(1).getResponseHeaders().getFirst("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(answers.get(1).getResponseBody()).isEqualTo(answers.get(0).getResponseBody());
        assertThat(requests.post("/meals", "m-1", "{\"soup\":2}")
                        .once()
                        .getStatus()
                        .value())
                .isEqualTo(422);
        idempotency.assertThatKey("m-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @Test
    void ofRequestsAtTheSameMomentOneRuns() {
        assertThat(soup().concurrently(8)).allMatch(answer -> status(answer) == 200 || status(answer) == 409);

        idempotency.assertThatKey("m-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @Test
    void aCrashAfterItsRecordIsAnsweredByTheRetry() {
        soup().crashing(CrashPoint.BEFORE_ACKNOWLEDGE);

        assertThat(status(soup().once())).isEqualTo(200);
        idempotency.assertThatKey("m-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @ParameterizedTest
    @EnumSource(names = {"BEFORE_WORK", "BEFORE_COMPLETE"})
    void aCrashBeforeItsRecordIsAConflictUntilTheLeaseHasEnded(CrashPoint point) {
        soup().crashing(point);

        assertThat(status(soup().once())).isEqualTo(409);
        idempotency.endLeases();
        assertThat(status(soup().once())).isEqualTo(200);
        idempotency
                .assertThatKey("m-1")
                .inScope("http.shop")
                .isCompleted()
                .hasAttempts(2)
                .ranTimes(point == CrashPoint.BEFORE_WORK ? 1 : 2);
    }

    @Test
    void aCrashThatNothingComesToFailsTheTestAndTouchesNoLaterRequest() {
        soup().once();

        assertThatThrownBy(() -> soup().crashing(CrashPoint.BEFORE_COMPLETE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("BEFORE_COMPLETE");
        assertThat(status(requests.post("/meals", "m-2", "{}").once())).isEqualTo(200);
    }

    @Test
    void otherRequestsCarryWhatTheirTestPutsIntoThem() {
        Rehearsal<EntityExchangeResult<String>> text = requests.request(client ->
                client.post().uri("/meals").header("Idempotency-Key", "m-3").bodyValue("bread"));

        assertThat(text.twice()).extracting(MealsTest::status).containsExactly(200, 200);
        idempotency.assertThatKey("m-3").inScope("http.shop").isCompleted().ranOnce();
    }
}
