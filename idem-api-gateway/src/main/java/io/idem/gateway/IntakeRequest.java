package io.idem.gateway;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerRequest;

/** A request whose key was granted to it. Used by one thread at a time. */
public final class IntakeRequest {

    /** Bytes of a content type; AMQP has no room for more. */
    private static final int LONGEST_CONTENT_TYPE = 255;

    private final ServerRequest http;
    private final IdempotencyKey key;
    private final byte[] body;

    private IntakeRequest(ServerRequest http, IdempotencyKey key, byte[] body) {
        this.http = http;
        this.key = key;
        this.body = body;
    }

    /** Fails closed: a route that the filter does not know must not run. */
    public static IntakeRequest of(ServerRequest http) throws IOException {
        IdempotencyContext context = IdempotencyContext.current()
                .orElseThrow(() -> new IllegalStateException("Route " + http.path()
                        + " was reached past the idempotency filter; leave the filter's registration to idem"));
        return new IntakeRequest(
                http, context.key(), http.servletRequest().getInputStream().readAllBytes());
    }

    /** The request as Spring has it; its body is read: take {@link #body()}. */
    public ServerRequest http() {
        return http;
    }

    /** The client's key, with its tenant. */
    public IdempotencyKey key() {
        return key;
    }

    /**
     * What the operation is called outside: 22 characters of base64url, derived from tenant and key and hence the same in every attempt.
     * It is also the message id of the first message.
     */
    public String id() {
        return key.id();
    }

    /** A copy of the body as received. */
    public byte[] body() {
        return body.clone();
    }

    /** Whether a message can carry a content type. */
    public static boolean fits(String contentType) {
        return contentType.getBytes(StandardCharsets.UTF_8).length <= LONGEST_CONTENT_TYPE;
    }

    /** What the client says the body is, in its own words; JSON if it says nothing. */
    public String contentType() {
        String said = http.servletRequest().getHeader(HttpHeaders.CONTENT_TYPE);
        return said == null ? MediaType.APPLICATION_JSON_VALUE : said;
    }
}
