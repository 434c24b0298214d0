package io.idem.http.servlet;

import io.idem.http.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;

/** Answers with a refusal: status, {@code Retry-After}, {@code Link} to the documentation, body. Thread-safe. */
public final class Refusals {

    private final ErrorBody body;
    private final String documentation;

    /**
     * Refusals rendered by {@code body}.
     *
     * @param documentation where the problem types are explained: a URI, or a path within the application
     */
    public Refusals(ErrorBody body, String documentation) {
        this.body = body;
        this.documentation = documentation;
    }

    /** Writes a refusal to a response that is not committed. */
    public void write(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        byte[] rendered = body.render(refusal.toProblemDetail(), request);
        response.setStatus(refusal.problem().status());
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.addHeader(
                HttpHeaders.LINK, "<" + page(request) + "#" + refusal.problem().slug() + ">; rel=\"describedby\"");
        refusal.retryAfterSeconds()
                .ifPresent(seconds -> response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds)));
        response.setContentType(body.mediaType().toString());
        response.setContentLength(rendered.length);
        response.getOutputStream().write(rendered);
    }

    private String page(HttpServletRequest request) {
        return documentation.startsWith("/") ? request.getContextPath() + documentation : documentation;
    }
}
