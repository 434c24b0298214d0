package io.idem.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.http.contract.Client.Answer;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * CORS as applications configure it, most of which names none of idem's headers: by a filter before all others, by one without an order,
 * by one behind idem's, by a configurer, by annotations and by hand. Routes below {@code /cors/} are protected, those below {@code /open/} are not.
 */
public abstract class CorsContract {

    protected static final String ORIGIN = "https://shop.example.com";

    protected static final String SECOND_ORIGIN = "https://admin.example.com";

    private final App app;
    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    protected CorsContract(App app) {
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "unordered", "behind", "configurer", "annotation"})
    void theKeyIsAllowedWhereTheRequestIs(String way) {
        Answer answer = preflight("/cors/" + way, ORIGIN, "content-type, idempotency-key");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
        assertThat(allowed(answer)).contains("idempotency-key").contains("content-type");
        assertThat(allowed(preflight("/cors/" + way, ORIGIN, "idempotency-key")))
                .contains("idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "unordered", "behind", "configurer", "annotation"})
    void nothingIsAllowedThatWasNot(String way) {
        Answer otherHeader = preflight("/cors/" + way, ORIGIN, "x-other, idempotency-key");
        Answer otherOrigin = preflight("/cors/" + way, "https://evil.example.com", "idempotency-key");
        Answer unprotected = preflight("/open/" + way, ORIGIN, "idempotency-key");

        for (Answer answer : List.of(otherHeader, otherOrigin, unprotected)) {
            assertThat(answer.status()).isEqualTo(403);
            assertThat(allowed(answer)).doesNotContain("idempotency-key");
        }
        assertThat(allowed(preflight("/cors/" + way, ORIGIN, "content-type"))).doesNotContain("idempotency-key");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "unordered", "behind", "configurer", "annotation"})
    void theMarkerIsExposedToAdmittedOrigins(String way) {
        Answer first = post("/cors/" + way, ORIGIN);
        Answer second = post("/cors/" + way, ORIGIN);

        assertThat(second.replayed()).isTrue();
        for (Answer answer : List.of(first, second)) {
            assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(ORIGIN);
            assertThat(exposed(answer))
                    .contains(Client.KEY, "Idempotency-Replayed", "Idempotency-Retention", "Retry-After", "Link");
        }
        assertThat(fromAnotherOrigin("/cors/" + way).status()).isEqualTo(403);
        assertThat(exposed(post("/open/" + way, ORIGIN))).doesNotContain("Idempotency-Replayed");
        assertThat(exposed(fromAnotherOrigin("/cors/" + way))).doesNotContain("Idempotency-Replayed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"filter", "unordered", "behind", "configurer", "annotation"})
    void replaysAndRefusalsAreForTheOriginThatAsks(String way) {
        post("/cors/" + way, ORIGIN);
        Answer replay = post("/cors/" + way, SECOND_ORIGIN);
        Answer refusal = client.send(client.request("/cors/" + way)
                .header("Origin", SECOND_ORIGIN)
                .header(Client.KEY, key)
                .POST(BodyPublishers.ofString("{\"other\":1}")));

        assertThat(replay.replayed()).isTrue();
        assertThat(refusal.status()).isEqualTo(422);
        for (Answer answer : List.of(replay, refusal)) {
            assertThat(answer.response().headers().allValues("Access-Control-Allow-Origin"))
                    .containsExactly(SECOND_ORIGIN);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"configurer", "written"})
    void whatTheApplicationExposesItselfIsExposedOnce(String way) {
        post("/cors/" + way, ORIGIN);
        Answer replay = post("/cors/" + way, ORIGIN);

        assertThat(replay.replayed()).isTrue();
        assertThat(exposed(replay).toLowerCase(Locale.ROOT).split(", "))
                .doesNotHaveDuplicates()
                .contains("retry-after", "x-own", "link", "idempotency-replayed");
    }

    @Test
    void aKeyThatTheApplicationAllowsItselfIsAllowedOnce() {
        Answer answer = preflight("/cors/written", ORIGIN, "content-type, idempotency-key");

        assertThat(allowed(answer).split(", ")).containsExactlyInAnyOrder("content-type", "idempotency-key");
    }

    @Test
    void aPreflightTakesNoKey() {
        Answer preflight = client.send(
                preflightRequest("/cors/filter", ORIGIN, "idempotency-key").header(Client.KEY, key));

        assertThat(preflight.status()).isEqualTo(200);
        assertThat(runs.of(key)).isZero();
        assertThat(post("/cors/filter", ORIGIN).replayed()).isFalse();
    }

    private static String allowed(Answer answer) {
        return all(answer, "Access-Control-Allow-Headers").toLowerCase(Locale.ROOT);
    }

    private static String exposed(Answer answer) {
        return all(answer, "Access-Control-Expose-Headers");
    }

    private static String all(Answer answer, String header) {
        return String.join(", ", answer.response().headers().allValues(header));
    }

    private Answer post(String path, String origin) {
        return client.post(path, key, request -> request.header("Origin", origin));
    }

    /** On a connection of its own: it is refused before its body was read, and what the server makes of the connection then is not the subject here. */
    private Answer fromAnotherOrigin(String path) {
        return app.client().post(path, key, request -> request.header("Origin", "https://evil.example.com"));
    }

    private Answer preflight(String path, String origin, String headers) {
        return client.send(preflightRequest(path, origin, headers));
    }

    private HttpRequest.Builder preflightRequest(String path, String origin, String headers) {
        return client.request(path)
                .header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .header("Access-Control-Request-Headers", headers)
                .method("OPTIONS", BodyPublishers.noBody());
    }
}
