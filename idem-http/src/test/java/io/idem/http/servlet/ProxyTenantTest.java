package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import org.junit.jupiter.api.Test;

/** H-09: the tenant is named by a proxy that is known by the connection's address. */
@AppTest(
        value = Shop.class,
        settings = {
            "idem.http.tenant=PROXY_HEADER",
            "idem.http.tenant-from.header=X-Tenant",
            "idem.http.tenant-from.trusted-proxies=127.0.0.1",
            "idem.http.routes[0].path=/orders/**"
        })
class ProxyTenantTest {

    private final Client client;
    private final String key = Client.newKey();

    ProxyTenantTest(App app) {
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
