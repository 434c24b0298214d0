package io.idem.http.internal.servlet;

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

/** A function's answer that was written inside a transaction and may leave now that it is committed. */
final class HeldResponse implements ServerResponse {

    private final CapturedServletResponse captured;

    HeldResponse(CapturedServletResponse captured) {
        this.captured = captured;
    }

    @Override
    public HttpStatusCode statusCode() {
        return HttpStatusCode.valueOf(captured.getStatus());
    }

    @Override
    public HttpHeaders headers() {
        HttpHeaders headers = new HttpHeaders();
        captured.getHeaderNames().forEach(name -> headers.addAll(name, List.copyOf(captured.getHeaders(name))));
        return HttpHeaders.readOnlyHttpHeaders(headers);
    }

    @Override
    public MultiValueMap<String, Cookie> cookies() {
        return CollectionUtils.unmodifiableMultiValueMap(new LinkedMultiValueMap<>());
    }

    @Override
    public @Nullable ModelAndView writeTo(HttpServletRequest request, HttpServletResponse response, Context context)
            throws IOException {
        captured.sendHeld();
        return null;
    }
}
