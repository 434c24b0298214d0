package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpMethod;

public abstract class RoutesContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected RoutesContract(App shop) {
        this.client = shop.client();
        this.runs = shop.bean(Runs.class);
    }

    @Test
    void aMissingKeyIsRefusedWhereOneIsRequired() {
        Answer answer = client.send(client.request("/orders").POST(BodyPublishers.ofString("{}")));

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.body())
                .contains("urn:idem:problem:key-missing", "Idempotency-Key", "\"code\":\"key-missing\"");
    }

    @Test
    void aMissingKeyRunsUnprotectedWhereNoneIsRequired() {
        Answer answer = client.send(client.request("/orders/optional").POST(BodyPublishers.ofString("{}")));

        assertThat(answer.status()).isEqualTo(200);
        assertThat(client.post("/orders/optional", key).replayed()).isFalse();
        assertThat(client.post("/orders/optional", key).replayed()).isTrue();
    }

    @Test
    void methodsThatTheRouteDoesNotNameAreLeftAlone() {
        Answer listed = client.send(client.request("/orders").GET());
        Answer withKey =
                client.send(client.request("/orders").header(Client.KEY, key).GET());

        assertThat(listed.status()).isEqualTo(200);
        assertThat(withKey.replayed()).isFalse();
        assertThat(client.send(client.request("/orders").header(Client.KEY, key).GET())
                        .replayed())
                .isFalse();
    }

    /** Neither asked for a key nor replayed, on a path whose pattern is protected. H-11: a HEAD has the headers of its GET. */
    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS"})
    void safeMethodsAreNeverProtected(String method) {
        for (int time = 0; time < 2; time++) {
            Answer answer = client.send(
                    client.request("/orders").header(Client.KEY, key).method(method, BodyPublishers.noBody()));

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.replayed()).isFalse();
        }
        assertThat(client.send(client.request("/orders").method(method, BodyPublishers.noBody()))
                        .status())
                .isEqualTo(200);
        assertThat(client.post("/orders", key).replayed()).isFalse();
    }

    @Test
    void putAndDeleteAreProtectedOnRequest() {
        Answer first =
                client.send(client.request("/orders/7").header(Client.KEY, key).PUT(BodyPublishers.ofString("{}")));
        Answer second =
                client.send(client.request("/orders/7").header(Client.KEY, key).PUT(BodyPublishers.ofString("{}")));

        assertThat(first.body()).isEqualTo("71");
        assertThat(second.replayed()).isTrue();
        assertThat(second.body()).isEqualTo("71");
    }

    @Test
    void annotatedHandlersAreProtectedWithoutFurtherConfiguration() {
        assertThat(client.post("/annotated/plain", key).body()).isEqualTo("run 1");
        assertThat(client.post("/annotated/plain", key).body()).isEqualTo("run 1");
        assertThat(client.send(client.request("/annotated/plain").POST(BodyPublishers.noBody()))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void anAnnotationMayNameItsScopeAndMakeTheKeyOptional() {
        assertThat(client.send(client.request("/annotated/special").POST(BodyPublishers.noBody()))
                        .status())
                .isEqualTo(200);
        client.post("/annotated/special", key);
        assertThat(client.post("/orders", key).status()).as("another scope").isEqualTo(201);
    }

    @Test
    void handlersWithoutAnnotationOrRouteAreLeftAlone() {
        assertThat(client.post("/annotated/not", key).body()).isEqualTo("run 1");
        assertThat(client.post("/annotated/not", key).body()).isEqualTo("run 2");
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void aRefusalLinksToAPageThatTheApplicationServes() {
        Answer refused = client.post("/orders", "");
        String link = refused.header("Link");

        assertThat(link).isEqualTo("</idem/problems.html#key-malformed>; rel=\"describedby\"");
        Answer page = client.send(client.request("/idem/problems.html").GET());
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.body()).contains("id=\"key-malformed\"");
    }

    @Test
    void aRouteWithoutItsFirstSlashIsThatWithIt() {
        assertThat(IdempotentRoute.post("v1/refunds")).hasToString("POST /v1/refunds");
    }

    @Test
    void aRouteWhosePlaceholderNothingReplacesIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotentRoute.post("/a/${PAY_PATH}"))
                .withMessageContaining("a placeholder that nothing replaces");
    }

    @Test
    void aRouteOfASafeMethodIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotentRoute.of(HttpMethod.GET, "/orders"))
                .withMessageContaining("GET");
    }
}
