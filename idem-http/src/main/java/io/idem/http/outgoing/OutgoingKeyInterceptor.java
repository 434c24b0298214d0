package io.idem.http.outgoing;

import io.idem.Fingerprint;
import io.idem.IdempotencyContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.RestClient;

/**
 * Adds keys to {@code RestClient} and {@code RestTemplate} calls. Apply it to a builder, {@code RestClient.builder().apply(interceptor)},
 * or add it to a template's interceptors; Spring Boot's builders have it already. After a failure an equal call of the same thread has
 * the same key. With any interceptor, and so with this one, the client holds request bodies in memory. Thread-safe.
 */
public final class OutgoingKeyInterceptor implements ClientHttpRequestInterceptor, Consumer<RestClient.Builder> {

    private final OutgoingKeys keys;

    /** Creates an interceptor that adds these keys. */
    public OutgoingKeyInterceptor(OutgoingKeys keys) {
        this.keys = keys;
    }

    @Override
    public void accept(RestClient.Builder builder) {
        builder.defaultRequest(request -> keys.remember(IdempotencyContext.current(), request::attribute))
                .requestInterceptor(this);
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        Map<String, Object> attributes = new HashMap<>(request.getAttributes());
        keys.remember(IdempotencyContext.current(), attributes::putIfAbsent);
        Optional<OutgoingCall> call = keys.send(
                request.getMethod(),
                request.getURI(),
                request.getHeaders(),
                attributes,
                Thread.currentThread(),
                () -> bodyOf(request.getHeaders(), body));
        return call.isPresent() ? exchange(request, body, execution, call.get()) : execution.execute(request, body);
    }

    private ClientHttpResponse exchange(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution, OutgoingCall call)
            throws IOException {
        request.getHeaders().set(keys.header(), call.key());
        request.getAttributes().put(OutgoingKeys.CALL, call);
        try {
            ClientHttpResponse response = execution.execute(request, body);
            if (OutgoingCall.isOpen(response.getStatusCode(), response.getHeaders())) {
                call.failed();
            }
            return new WatchedResponse(response, call);
        } catch (IOException | RuntimeException | Error failure) {
            call.failed();
            throw failure;
        }
    }

    /** Returns the digest of a body without its boundary, which is another one each time that a multipart body is written. */
    private static Fingerprint bodyOf(HttpHeaders headers, byte[] body) {
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        if (type == null || !type.startsWith("multipart/")) {
            return Fingerprint.of(body);
        }
        String text = new String(body, StandardCharsets.ISO_8859_1);
        return Fingerprint.of(
                text.replace(text.lines().findFirst().orElse("--"), "--").getBytes(StandardCharsets.ISO_8859_1));
    }
}
