package io.idem.http.internal.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Notes that a body without a length was taken before the idempotency filter reads it: once it is gone, nothing else tells that there was
 * one. A request whose length is known is left alone. Belongs before all other filters. Thread-safe.
 */
public final class TakenBodies extends OncePerRequestFilter {

    /** The order of the filter: before all others. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE;

    /** The request attribute that tells whether the body was taken; absent if this filter has not seen the request. */
    private static final String TAKEN = TakenBodies.class.getName();

    /** Returns whether a body from which nothing can be read may have been sent. Ask before it is read. */
    static boolean mayBeGone(HttpServletRequest request) {
        Object taken = request.getAttribute(TAKEN);
        boolean takenOrUnseen =
                taken == null ? request.getDispatcherType() != DispatcherType.REQUEST : taken.equals(true);
        return request.getContentLengthLong() > 0 || (lengthIsUnsaid(request) && takenOrUnseen);
    }

    /** Returns whether there may be a body though no length is said; HTTP/2 has no header that tells of one. */
    private static boolean lengthIsUnsaid(HttpServletRequest request) {
        return request.getContentLengthLong() < 0
                && (request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null
                        || !request.getProtocol().startsWith("HTTP/1."));
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !lengthIsUnsaid(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        request.setAttribute(TAKEN, false);
        chain.doFilter(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public ServletInputStream getInputStream() throws IOException {
                        ServletInputStream body = super.getInputStream();
                        if (!body.isFinished()) {
                            setAttribute(TAKEN, true);
                        }
                        return body;
                    }
                },
                response);
    }
}
