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
 * Delays asynchronous answers until the request's own thread has left all filters. Filters, Spring Security's among
 * them, write headers on their way out, and a response of Tomcat must not be used by two threads. The outermost filter.
 * Thread-safe.
 */
public final class AsyncAnswerFilter implements Filter {

    /** The order of the filter: around all others. */
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

    /**
     * Returns a future that completes when the request's own thread has left all filters; completed where this filter
     * is not installed.
     */
    static CompletableFuture<?> left(ServletRequest request) {
        return request.getAttribute(LEFT) instanceof CompletableFuture<?> left
                ? left
                : CompletableFuture.completedFuture(null);
    }
}
