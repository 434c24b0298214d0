package io.idem.gateway.internal.intake;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** An answer whose body is held back until it is sent or replaced by another one. Used by one thread at a time. */
final class HeldAnswer extends ContentCachingResponseWrapper {

    private static final int OK = 200;
    private static final int REDIRECTION = 300;

    private final HttpServletResponse client;

    HeldAnswer(HttpServletResponse client) {
        super(client);
        this.client = client;
    }

    /** Returns whether the answer says that the request was accepted, and was not sent yet. */
    boolean taken() {
        return getStatus() >= OK && getStatus() < REDIRECTION && !client.isCommitted();
    }

    /** Sends the answer unchanged. */
    void send() throws IOException {
        copyBodyToResponse();
    }

    /** Returns the client's response for another answer; the headers of this one are set already. */
    HttpServletResponse client() {
        return client;
    }
}
