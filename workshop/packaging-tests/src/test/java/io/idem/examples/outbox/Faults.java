package io.idem.examples.outbox;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;

/** Something breaks behind the handler, which has written and published by then. */
@ControllerAdvice
class Faults implements ResponseBodyAdvice<Object> {

    private final AtomicBoolean failing = new AtomicBoolean();

    void failOnce() {
        failing.set(true);
    }

    @Override
    public boolean supports(MethodParameter handler, Class<? extends HttpMessageConverter<?>> converter) {
        return handler.getContainingClass() == Orders.class;
    }

    @Override
    public @Nullable Object beforeBodyWrite(
            @Nullable Object body,
            MethodParameter handler,
            MediaType type,
            Class<? extends HttpMessageConverter<?>> converter,
            ServerHttpRequest request,
            ServerHttpResponse response) {
        if (failing.getAndSet(false)) {
            throw new IllegalStateException("broken behind the handler");
        }
        return body;
    }
}
