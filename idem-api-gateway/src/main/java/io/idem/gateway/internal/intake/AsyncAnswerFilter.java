package io.idem.gateway.internal.intake;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.Ordered;

/**
 * Keeps asynchronous answers back until the request's own thread has left all filters. Filters write headers on their way out, Spring
 * Security's among them, and a response of Tomcat is not made for two threads. The outermost filter. Thread-safe.
 */
public final class AsyncAnswerFilter implements Filter {

    /** Where the filter belongs: around all others. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE;

    private static final String LEFT = AsyncAnswerFilter.class.getName() + ".left";

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        CompletableFuture<Void> left = new CompletableFuture<>();
        request.setAttribute(LEFT, left);
        try {
            chain.doFilter(request, response);
        } finally {
            left.complete(null);
        }
    }

    /** Completes when the request's own thread has left all filters; complete where this filter is not installed. */
    static CompletableFuture<?> left(ServletRequest request) {
        return request.getAttribute(LEFT) instanceof CompletableFuture<?> left
                ? left
                : CompletableFuture.completedFuture(null);
    }
}
