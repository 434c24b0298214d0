package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import io.idem.step.StepContext;
import java.util.List;

/** Steps in handlers: the client's retry goes on behind what the failed request has done. */
public abstract class StepsContract {

    private final Client client;
    private final Carrier carrier;
    private final String key = Client.newKey();

    protected StepsContract(App app) {
        this.client = app.client();
        this.carrier = app.bean(Carrier.class);
    }

    protected final void assertThatARetryGoesOnBehindTheStep(String path) {
        Answer failed = client.post(path, key);
        Answer retried = client.post(path, key);
        Answer repeated = client.post(path, key);

        assertThat(failed.status()).isIn(500, 503);
        assertThat(retried.body()).isEqualTo("receipt 1, label 3");
        assertThat(retried.replayed()).isFalse();
        assertThat(repeated.replayed()).isTrue();
        assertThat(repeated.bytes()).isEqualTo(retried.bytes());
        assertThatOnlyTheFailedStepRanAgain();
    }

    private void assertThatOnlyTheFailedStepRanAgain() {
        List<StepContext> calls = carrier.calls(key);
        assertThat(calls).extracting(StepContext::id).containsExactly("charge", "label", "label");
        assertThat(calls.get(2).key())
                .isEqualTo(calls.get(1).key())
                .isNotEqualTo(calls.get(0).key());
        assertThat(calls.get(2).fence()).isGreaterThan(calls.get(1).fence());
    }
}
