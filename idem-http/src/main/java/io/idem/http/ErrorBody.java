package io.idem.http;

import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;

/**
 * Renders the body of a refusal. Replace it where clients know another envelope only; status, {@code Retry-After} and the link to the
 * documentation are set for every body. Thread-safe.
 */
public interface ErrorBody {

    /** Returns the media type of the rendered bodies. */
    MediaType mediaType();

    /** Renders the body that tells a problem to the client of a request. */
    byte[] render(ProblemDetail problem, IncomingRequest request);
}
