package io.idem.gateway;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.http.internal.admission.ReceivedBody;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.ServerRequest;

/** A request whose key was granted. Used by one thread at a time. */
public final class IntakeRequest {

    /** The longest content type that AMQP can carry, in bytes. */
    private static final int LONGEST_CONTENT_TYPE = 255;

    private final ServerRequest http;
    private final IdempotencyKey key;
    private final byte[] body;

    private IntakeRequest(ServerRequest http, IdempotencyKey key, byte[] body) {
        this.http = http;
        this.key = key;
        this.body = body;
    }

    /** Returns the granted request. Fails if the filter does not know the route, which must not run unprotected. */
    public static IntakeRequest of(ServerRequest http) throws IOException {
        IdempotencyContext context = IdempotencyContext.current()
                .orElseThrow(() -> new IllegalStateException("Route " + http.path()
                        + " was reached past the idempotency filter; leave the filter's registration to idem"));
        byte[] body = http.servletRequest().getInputStream().readAllBytes();
        Object received = http.servletRequest().getAttribute(ReceivedBody.LENGTH);
        if (received != null && !received.equals(body.length)) {
            throw new IllegalStateException("The body of a request to " + http.path()
                    + " was read between the idempotency filter and its route; let what reads it hand it on");
        }
        return new IntakeRequest(http, context.key(), body);
    }

    /** Returns Spring's request, whose body has been read; use {@link #body()}. */
    public ServerRequest http() {
        return http;
    }

    /** Returns the client's key, with its tenant. */
    public IdempotencyKey key() {
        return key;
    }

    /**
     * Returns the public name of the operation: 22 characters of base64url, derived from tenant and key and hence the
     * same in every attempt. Also the message id of the first message.
     */
    public String id() {
        return key.id();
    }

    /** Returns a copy of the body as received. */
    public byte[] body() {
        return body.clone();
    }

    /** Returns whether a message can carry a content type. */
    public static boolean fits(String contentType) {
        return contentType.getBytes(StandardCharsets.UTF_8).length <= LONGEST_CONTENT_TYPE;
    }

    /** Returns the content type as the client sent it; JSON if it sent none. */
    public String contentType() {
        String said = http.servletRequest().getHeader(HttpHeaders.CONTENT_TYPE);
        return said == null ? MediaType.APPLICATION_JSON_VALUE : said;
    }
}
