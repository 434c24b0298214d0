package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;

/** H-09: the tenant is named by a proxy that is known by the connection's address. */
public abstract class ProxyTenantContract {

    private final Client client;
    private final String key = Client.newKey();

    protected ProxyTenantContract(App app) {
        this.client = app.client();
    }

    @Test
    void oneTenantIsNeverAnsweredWithTheAnswerOfAnother() {
        Answer acmes = client.post("/orders", key, request -> request.header("X-Tenant", "acme"));
        Answer umbrellas = client.post("/orders", key, request -> request.header("X-Tenant", "umbrella"));
        Answer both = client.post(
                "/orders", key, request -> request.header("X-Tenant", "acme").header("X-Tenant", "umbrella"));

        assertThat(umbrellas.replayed()).isFalse();
        assertThat(umbrellas.body()).isNotEqualTo(acmes.body());
        assertThat(both.status()).isEqualTo(403);
        assertThat(client.post("/orders", key).status()).isEqualTo(403);
    }
}
