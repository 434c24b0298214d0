package io.idem.test.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.spi.IdempotencyStore;
import io.idem.test.TestIdempotency;
import io.idem.test.http.MockMvcRequests;
import io.idem.test.spring.IdempotencyTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** An application whose records are otherwise the rows of its inbox, without its database. */
@SpringBootTest(properties = "idem.store=inbox")
@IdempotencyTest
@Tag("servers")
class InboxShopTest {

    private final TestIdempotency idempotency;
    private final MockMvcRequests requests;
    private final IdempotencyStore store;

    @Autowired
    InboxShopTest(TestIdempotency idempotency, MockMvcRequests requests, IdempotencyStore store) {
        this.idempotency = idempotency;
        this.requests = requests;
        this.store = store;
    }

    @Test
    void theRecordsAreInMemory() throws Exception {
        assertThat(store).isSameAs(idempotency.store());
        assertThat(requests.post("/orders", "o-9", "{\"apples\":3}")
                        .twice()
                        .get(1)
                        .getHeader("Idempotency-Replayed"))
                .isEqualTo("true");
        idempotency.assertThatKey("o-9").inScope("http.shop").isCompleted().ranOnce();
    }
}
