package io.idem.http.internal.servlet;

import io.idem.IdempotencyContext;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.CallableProcessingInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;

/**
 * Binds the {@link IdempotencyContext#current()} of a request on the threads on which Spring MVC runs its {@code Callable}, {@code
 * WebAsyncTask} or {@code StreamingResponseBody}. Thread-safe.
 */
final class ContextCallableInterceptor implements CallableProcessingInterceptor {

    /** The bindings by the thread that runs the work, which calls both methods. */
    private final Map<Thread, IdempotencyContext.Binding> bound = new ConcurrentHashMap<>();

    /** Adds an interceptor behind those of the application. */
    static void addTo(RequestMappingHandlerAdapter adapter) {
        var known = new DirectFieldAccessor(adapter).getPropertyValue("callableInterceptors");
        List<CallableProcessingInterceptor> all =
                new ArrayList<>(known instanceof CallableProcessingInterceptor[] some ? List.of(some) : List.of());
        all.add(new ContextCallableInterceptor());
        adapter.setCallableInterceptors(all);
    }

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
