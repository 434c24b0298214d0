package io.idem.gateway.service.internal.limits;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.Refusals;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 503 at once when the limit of requests in flight is reached, rather than let requests queue for threads and
 * brokers. A request is in flight until its handler has ended, synchronously or not; requests that only read are not
 * counted. Belongs behind authentication and before the idempotency filter. Thread-safe.
 */
public final class InFlightFilter extends OncePerRequestFilter {

    /** The order of the filter: callers that are not authenticated take no permit. */
    public static final int ORDER = IdempotencyServletFilter.ORDER - 3;

    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Refusal REFUSAL = Refusal.of(
                    GatewayProblem.OVERLOADED, "Nothing was run. Send the request again with the same key.")
            .retryAfter(Duration.ofSeconds(1));

    private final InFlightLimit limit;
    private final OpenPaths open;
    private final Refusals refusals;

    /**
     * Creates a filter.
     *
     * @param open the paths that are never refused
     */
    public InFlightFilter(InFlightLimit limit, OpenPaths open, Refusals refusals) {
        this.limit = limit;
        this.open = open;
        this.refusals = refusals;
    }

    /** Returns the limit with its counts, for meters. */
    public InFlightLimit limit() {
        return limit;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return READING.contains(request.getMethod()) || open.include(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (limit.enter()) {
            pass(new Permit(limit), request, response, chain);
        } else {
            refusals.write(REFUSAL, request, response);
        }
    }

    private static void pass(Permit permit, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        boolean goesOn = false;
        try {
            chain.doFilter(request, response);
            goesOn = goesOn(permit, request);
        } finally {
            if (!goesOn) {
                permit.release();
            }
        }
    }

    private static boolean goesOn(Permit permit, HttpServletRequest request) {
        try {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(permit);
                return true;
            }
            return false;
        } catch (IllegalStateException completedMeanwhile) {
            return false;
        }
    }

    /** The permit of a request in flight, released once, when its answer has ended. */
    private static final class Permit implements AsyncListener {

        private final InFlightLimit limit;
        private final AtomicBoolean taken = new AtomicBoolean(true);

        Permit(InFlightLimit limit) {
            this.limit = limit;
        }

        void release() {
            if (taken.compareAndSet(true, false)) {
                limit.leave();
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            release();
        }

        /**
         * Registers again, because the container drops its listeners when a dispatched request starts asynchronous
         * processing again.
         */
        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // The request goes on until it is completed.
        }

        @Override
        public void onError(AsyncEvent event) {
            // The request goes on until it is completed.
        }
    }
}
