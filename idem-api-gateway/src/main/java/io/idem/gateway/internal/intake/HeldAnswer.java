package io.idem.gateway.internal.intake;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** An answer whose body is held back, until it is sent or another one is given in its place. Used by one thread at a time. */
final class HeldAnswer extends ContentCachingResponseWrapper {

    private static final int OK = 200;
    private static final int REDIRECTION = 300;

    private final HttpServletResponse client;

    HeldAnswer(HttpServletResponse client) {
        super(client);
        this.client = client;
    }

    /** Whether the answer says that the request was taken, and has not left yet. */
    boolean taken() {
        return getStatus() >= OK && getStatus() < REDIRECTION && !client.isCommitted();
    }

    /** Sends it as it is. */
    void send() throws IOException {
        copyBodyToResponse();
    }

    /** The client's response, for another answer: the headers of this one are there. */
    HttpServletResponse client() {
        return client;
    }
}
