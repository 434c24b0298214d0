package io.idem.http;

import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/**
 * Renders the body of a refusal. Replace it where clients know another envelope only; status, {@code Retry-After} and the link to the
 * documentation are set for every body. Thread-safe.
 */
public interface ErrorBody {

    /** Media type of what {@link #render} answers. */
    MediaType mediaType();

    /** Renders a problem for a request. */
    byte[] render(ProblemDetail problem, IncomingRequest request);
}
