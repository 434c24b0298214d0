package io.idem.http.internal.servlet;

import io.idem.http.StoredResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/** A replay or a refusal in place of a function's answer. */
final class ReplacementResponse implements ServerResponse {

    private final StoredResponse answer;

    ReplacementResponse(StoredResponse answer) {
        this.answer = answer;
    }

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatusCode.valueOf(answer.status());
    }

    @Override
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        answer.headers().forEach(header -> headers.add(header.name(), header.value()));
        return HttpHeaders.readOnlyHttpHeaders(headers);
    }

    @Override
    public MultiValueMap<String, Cookie> cookies() {
        return CollectionUtils.unmodifiableMultiValueMap(new LinkedMultiValueMap<>());
    }

    @Override
    public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
            throws IOException {
        ServletAnswerWriter.write(answer, response);
        return null;
    }
}
