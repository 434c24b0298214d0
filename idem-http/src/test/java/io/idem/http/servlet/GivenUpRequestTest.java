package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import org.junit.jupiter.api.Test;

/** An application whose exception handlers are Spring's own: they answer a request that the container gave up with nothing, and 200. */
@AppTest(
        value = BrokenConnectionTest.Breaking.class,
        settings = {"idem.http.tenant=SINGLE", "spring.mvc.problemdetails.enabled=true"})
class GivenUpRequestTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    GivenUpRequestTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void whatIsAnsweredThenIsNotStored() {
        assertThat(client.post("/annotated/given-up", key).body()).isEmpty();

        assertThat(client.post("/annotated/given-up", key).status()).isEqualTo(409);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandlerWhoseOwnConnectionBrokeStillGets500AndFreesTheKey() {
        assertThat(client.post("/annotated/eof", key).status()).isEqualTo(500);
        assertThat(client.post("/annotated/eof", key).body()).isEqualTo("run 2");
    }
}
