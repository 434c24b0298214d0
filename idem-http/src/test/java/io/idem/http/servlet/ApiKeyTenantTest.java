package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.ApiKeys;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import org.junit.jupiter.api.Test;

/** H-09: the tenant is the one whose API key the request carries. */
@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=API_KEY",
            "idem.http.tenant-from.header=X-API-Key",
            "idem.http.tenant-from.api-keys[0].tenant=acme",
            "idem.http.tenant-from.api-keys[0].sha256=" + ApiKeys.ACME,
            "idem.http.tenant-from.api-keys[1].tenant=umbrella",
            "idem.http.tenant-from.api-keys[1].sha256=" + ApiKeys.UMBRELLA,
            "idem.http.max-request-body=2KB",
            "idem.http.routes[0].path=/orders/**"
        })
class ApiKeyTenantTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ApiKeyTenantTest(App app) {
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
