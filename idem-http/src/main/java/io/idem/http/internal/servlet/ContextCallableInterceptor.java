package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;

/**
 * Has {@code Callable}, {@code WebAsyncTask} and {@code StreamingResponseBody} see their request's {@link IdempotencyContext#current()} on
 * the thread on which Spring MVC runs them. Thread-safe.
 */
public final class ContextCallableInterceptor implements CallableProcessingInterceptor {

    /** By the thread that runs the work, which is told of both ends. */
    private final Map<Thread, IdempotencyContext.Binding> bound = new ConcurrentHashMap<>();

    @Override
    public <T> void preProcess(NativeWebRequest request, Callable<T> task) {
        HttpServletRequest servletRequest = request.getNativeRequest(HttpServletRequest.class);
        if (servletRequest != null) {
            ServletExchange.of(servletRequest)
                    .ifPresent(exchange -> bound.put(
                            Thread.currentThread(),
                            exchange.operation().context().bind()));
        }
    }

    @Override
    public <T> void postProcess(NativeWebRequest request, Callable<T> task, @Nullable Object result) {
        IdempotencyContext.Binding binding = bound.remove(Thread.currentThread());
        if (binding != null) {
            binding.close();
        }
    }
}
