package io.idem.http.internal.admission;

import io.idem.http.ErrorBody;
import io.idem.http.IncomingRequest;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.converter.json.ProblemDetailJacksonMixin;
import tools.jackson.databind.json.JsonMapper;

/** The default body of refusals: {@code application/problem+json}. */
public final class ProblemDetailBody implements ErrorBody {

    private final JsonMapper json = JsonMapper.builder()
            .addMixIn(ProblemDetail.class, ProblemDetailJacksonMixin.class)
            .build();

    @Override
    public MediaType mediaType() {
        return MediaType.APPLICATION_PROBLEM_JSON;
    }

    @Override
    public byte[] render(ProblemDetail problem, IncomingRequest request) {
        return json.writeValueAsBytes(problem);
    }
}
