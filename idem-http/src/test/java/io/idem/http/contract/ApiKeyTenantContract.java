package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;

/** H-09: the tenant is the one whose API key the request carries. */
public abstract class ApiKeyTenantContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected ApiKeyTenantContract(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @Test
    void oneTenantIsNeverAnsweredWithTheAnswerOfAnother() {
        Answer acmes = as("key-of-acme");
        Answer umbrellas = as("key-of-umbrella");

        assertThat(umbrellas.replayed()).isFalse();
        assertThat(umbrellas.body()).isNotEqualTo(acmes.body());
        assertThat(as("key-of-acme").bytes()).isEqualTo(acmes.bytes());
        assertThat(as("key-of-umbrella").bytes()).isEqualTo(umbrellas.bytes());
    }

    @Test
    void aRequestWithoutAKnownApiKeyIsNeitherRunNorReplayed() {
        as("key-of-acme");

        assertThat(as("key-of-nobody").status()).isEqualTo(403);
        assertThat(client.post("/orders", key).body()).contains("urn:idem:problem:tenant-unknown");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    private Answer as(String apiKey) {
        return client.post("/orders", key, request -> request.header("X-API-Key", apiKey));
    }
}
