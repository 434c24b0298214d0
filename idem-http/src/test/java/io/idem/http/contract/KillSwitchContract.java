package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;

/** The filter of an application that runs with idem switched off. */
public abstract class KillSwitchContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected KillSwitchContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @Test
    void everyRequestRunsAndIsAnsweredByItsOwnRun() {
        Answer first = client.post("/orders", key);
        Answer second = client.post("/orders", key);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(201);
        assertThat(second.replayed()).isFalse();
        assertThat(second.header("Location")).isEqualTo("/orders/2");
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void whatARequestMustLookLikeDoesNotChange() {
        assertThat(client.post("/orders", "").status()).isEqualTo(400);
    }
}
