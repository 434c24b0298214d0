package io.idem.test.http;

import io.idem.test.Rehearsal;
import io.idem.test.TestIdempotency;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/**
 * Sends requests through the application's {@code WebTestClient}, whose filters must include idem's, as that of
 * {@code @AutoConfigureWebTestClient} does, and reads each answer to the end. A repeated request with another body is
 * another request with the same key. Thread-safe.
 */
public final class WebTestClientRequests {

    private static final String KEY = "Idempotency-Key";

    private final TestIdempotency idempotency;
    private final Supplier<WebTestClient> client;

    /**
     * Creates the requests of an application; {@link io.idem.test.spring.IdempotencyTest} does so for tests.
     *
     * @param client obtained for each request
     */
    public WebTestClientRequests(TestIdempotency idempotency, Supplier<WebTestClient> client) {
        this.idempotency = idempotency;
        this.client = client;
    }

    /** Returns a rehearsal of a POST of JSON under an idempotency key. */
    public Rehearsal<EntityExchangeResult<String>> post(String path, String key, String json) {
        return request(requests -> requests.post()
                .uri(path)
                .header(KEY, key)
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(json));
    }

    /** Returns a rehearsal of any request, with its key in a header {@code Idempotency-Key}; built anew each time. */
    public Rehearsal<EntityExchangeResult<String>> request(
            Function<WebTestClient, WebTestClient.RequestHeadersSpec<?>> request) {
        return idempotency.rehearseAnywhere(() ->
                request.apply(client.get()).exchange().expectBody(String.class).returnResult());
    }
}
