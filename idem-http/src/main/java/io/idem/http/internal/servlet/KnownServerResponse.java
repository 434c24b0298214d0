package io.idem.http.internal.servlet;

import io.idem.http.StoredResponse;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.util.CollectionUtils;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.function.ServerResponse;

/** A function's answer that is known as a whole: a replay, a refusal, or an answer that was held back during a transaction. */
final class KnownServerResponse implements ServerResponse {

    private final int status;
    private final HttpHeaders headers;
    private final Writing writing;

    private KnownServerResponse(int status, HttpHeaders headers, Writing writing) {
        this.status = status;
        this.headers = HttpHeaders.readOnlyHttpHeaders(headers);
        this.writing = writing;
    }

    /** A replay or a refusal in place of the function's answer. */
    static ServerResponse of(StoredResponse answer) {
        HttpHeaders headers = new HttpHeaders();
        answer.headers().forEach(header -> headers.add(header.name(), header.value()));
        return new KnownServerResponse(
                answer.status(), headers, response -> ServletAnswerWriter.write(answer, response));
    }

    /** The answer that the function wrote inside a transaction; sent now that it is committed. */
    static ServerResponse held(CapturedServletResponse captured) {
        HttpHeaders headers = new HttpHeaders();
        captured.getHeaderNames().forEach(name -> headers.addAll(name, List.copyOf(captured.getHeaders(name))));
        return new KnownServerResponse(captured.getStatus(), headers, response -> captured.sendHeld());
    }

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatusCode.valueOf(status);
    }

    @Override
    public HttpHeaders headers() {
        return headers;
    }

    @Override
    public MultiValueMap<String, Cookie> cookies() {
        return CollectionUtils.unmodifiableMultiValueMap(new LinkedMultiValueMap<>());
    }

    @Override
    public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
            throws IOException {
        writing.writeTo(response);
        return null;
    }

    @FunctionalInterface
    private interface Writing {
        void writeTo(HttpServletResponse response) throws IOException;
    }
}
