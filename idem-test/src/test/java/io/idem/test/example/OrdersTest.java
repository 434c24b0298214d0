package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.test.CrashPoint;
import io.idem.test.TestIdempotency;
import io.idem.test.http.MockMvcRequests;
import io.idem.test.spring.IdempotencyTest;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.mock.web.MockHttpServletResponse;

/** HTTP without a server. */
@SpringBootTest
@IdempotencyTest
@Tag("servers")
class OrdersTest {

    private final TestIdempotency idempotency;
    private final MockMvcRequests requests;

    @Autowired
    OrdersTest(TestIdempotency idempotency, MockMvcRequests requests) {
        this.idempotency = idempotency;
        this.requests = requests;
    }

    @Test
    void aRetryGetsTheFirstAnswer() throws Exception {
        List<MockHttpServletResponse> answers =
                requests.post("/orders", "o-1", "{\"apples\":3}").twice();

        assertThat(answers.get(1).getHeader("Idempotency-Replayed")).isEqualTo("true");
        assertThat(answers.get(1).getContentAsString()).isEqualTo(answers.get(0).getContentAsString());
        assertThat(requests.post("/orders", "o-1", "{\"apples\":4}").once().getStatus())
                .isEqualTo(422);
        idempotency.assertThatKey("o-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @Test
    void ofRequestsAtTheSameMomentOneRuns() {
        assertThat(requests.post("/orders", "o-1", "{\"apples\":3}").concurrently(8))
                .allMatch(answer -> answer.getStatus() == 200 || answer.getStatus() == 409);

        idempotency.assertThatKey("o-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @Test
    void aCrashAfterItsRecordIsAnsweredByTheRetry() {
        requests.post("/orders", "o-1", "{\"apples\":3}").crashing(CrashPoint.BEFORE_ACKNOWLEDGE);

        MockHttpServletResponse answer =
                requests.post("/orders", "o-1", "{\"apples\":3}").once();
        assertThat(answer.getStatus()).isEqualTo(200);
        idempotency.assertThatKey("o-1").inScope("http.shop").isCompleted().ranOnce();
    }

    @Test
    void aCrashBeforeTheWorkIsAConflictUntilTheLeaseHasEnded() {
        requests.post("/orders", "o-1", "{\"apples\":3}").crashing(CrashPoint.BEFORE_WORK);

        assertThat(requests.post("/orders", "o-1", "{\"apples\":3}").once().getStatus())
                .isEqualTo(409);
        idempotency.endLeases();
        assertThat(requests.post("/orders", "o-1", "{\"apples\":3}").once().getStatus())
                .isEqualTo(200);
    }
}
