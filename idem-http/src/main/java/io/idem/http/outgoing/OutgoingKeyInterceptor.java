package io.idem.http.outgoing;

import java.io.IOException;
import java.util.function.Consumer;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;

/**
 * Adds keys to {@code RestClient} and {@code RestTemplate} calls. Apply it to a builder, {@code RestClient.builder().apply(interceptor)},
 * or add it to a template's interceptors; Spring Boot's builders have it already. With any interceptor, and so with this one, the client
 * holds request bodies in memory. Thread-safe.
 */
public final class OutgoingKeyInterceptor implements ClientHttpRequestInterceptor, Consumer<RestClient.Builder> {

    private final OutgoingKeys keys;

    /** Creates an interceptor that adds these keys. */
    public OutgoingKeyInterceptor(OutgoingKeys keys) {
        this.keys = keys;
    }

    @Override
    public void accept(RestClient.Builder builder) {
        builder.defaultRequest(request -> keys.remember(request::attribute)).requestInterceptor(this);
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        keys.keyOf(request.getMethod(), request.getURI(), request.getHeaders(), request.getAttributes())
                .ifPresent(key -> request.getHeaders().set(keys.header(), key));
        return execution.execute(request, body);
    }
}
