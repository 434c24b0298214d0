package io.idem.http.internal.admission;

import io.idem.http.ErrorBody;
import io.idem.http.Header;
import io.idem.http.HttpProblem;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.StoredResponse;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;

/**
 * Renders refusals as answers: status, {@code Retry-After}, {@code Link} to the documentation, the content codings that are taken where
 * another one was sent, body. Thread-safe.
 *
 * @param body renderer of the bodies
 * @param documentation page that explains the problem types: a URI, or a path within the application
 */
public record RefusalRenderer(ErrorBody body, String documentation) {

    /** Returns the media type of the bodies. */
    public String mediaType() {
        return body.mediaType().toString();
    }

    /** Returns the answer to a request that is refused. */
    public StoredResponse render(Refusal refusal, IncomingRequest request) {
        List<Header> headers = new ArrayList<>();
        headers.add(new Header(HttpHeaders.CONTENT_TYPE, body.mediaType().toString()));
        headers.add(new Header(HttpHeaders.CACHE_CONTROL, "no-store"));
        headers.add(new Header(
                HttpHeaders.LINK, "<" + page(request) + "#" + refusal.problem().slug() + ">; rel=\"describedby\""));
        refusal.retryAfterSeconds()
                .ifPresent(seconds -> headers.add(new Header(HttpHeaders.RETRY_AFTER, Long.toString(seconds))));
        if (refusal.problem() == HttpProblem.CONTENT_CODING_UNSUPPORTED) {
            headers.add(new Header(HttpHeaders.ACCEPT_ENCODING, "identity"));
        }
        return StoredResponse.of(refusal.problem().status(), headers, body.render(refusal.toProblemDetail(), request));
    }

    private String page(IncomingRequest request) {
        return documentation.startsWith("/") ? request.contextPath() + documentation : documentation;
    }
}
