package io.idem.gateway.internal.intake;

import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/** A refusal as the response of a functional endpoint, in the same form as the filter's. */
record RefusalResponse(Refusal refusal, Refusals refusals) implements ServerResponse {

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatusCode.valueOf(refusal.problem().status());
    }

    @Override
    public HttpHeaders headers() {
        return new HttpHeaders();
    }

    @Override
    public MultiValueMap<String, Cookie> cookies() {
        return new LinkedMultiValueMap<>();
    }

    @Override
    public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
            throws IOException {
        refusals.write(refusal, request, response);
        return null;
    }
}
