package io.idem.http.internal.servlet;

import io.idem.http.Refusal;
import io.idem.http.internal.admission.RefusalRenderer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Writes refusals to servlet responses: status, {@code Retry-After}, {@code Link} to the documentation, body. Thread-safe. */
public record Refusals(RefusalRenderer renderer) {

    /** Writes a refusal to a response that is not committed. */
    public void write(Refusal refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
        ServletAnswerWriter.write(renderer.render(refusal, IncomingServletRequest.of(request)), response);
    }
}
