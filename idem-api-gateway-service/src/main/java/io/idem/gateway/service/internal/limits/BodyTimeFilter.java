package io.idem.gateway.service.internal.limits;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.Refusal;
import io.idem.http.internal.servlet.Refusals;
import io.idem.internal.Causes;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.servlet.filter.OrderedFilter;
import org.springframework.http.MediaType;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Answers 408 to a request whose body takes too long, so that slow clients do not hold the server's threads. Uploads to
 * handlers of an application around the intake are not bounded. Belongs before all filters that read bodies.
 * Thread-safe.
 */
public final class BodyTimeFilter extends OncePerRequestFilter {

    /** The order of the filter: before Spring's filters that read forms. */
    public static final int ORDER = OrderedFilter.REQUEST_WRAPPER_FILTER_MAX_ORDER - 10_000;

    private final Duration longest;
    private final Predicate<HttpServletRequest> applies;
    private final Refusals refusals;

    /**
     * Creates a filter.
     *
     * @param longest the time from the arrival of the headers to that of the last byte of the body
     * @param applies whether a request's body is bounded; forms always are, since a filter may read them before any
     *     handler
     */
    public BodyTimeFilter(Duration longest, Predicate<HttpServletRequest> applies, Refusals refusals) {
        this.longest = longest;
        this.applies = applies;
        this.refusals = refusals;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return !isForm(request.getContentType()) && !applies.test(request);
    }

    private static boolean isForm(@Nullable String type) {
        return type != null
                && type.strip().toLowerCase(Locale.ROOT).startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long start = System.nanoTime();
        try {
            chain.doFilter(new Timed(request, () -> longest.toNanos() - (System.nanoTime() - start)), response);
        } catch (ServletException | IOException | RuntimeException failure) {
            if (!overdue(failure) || response.isCommitted()) {
                throw failure;
            }
            refusals.write(
                    Refusal.of(
                            GatewayProblem.BODY_TOO_SLOW,
                            "Nothing was run. Send the request again with the same key, all of it within "
                                    + longest.toSeconds() + " s."),
                    request,
                    response);
        }
    }

    private static boolean overdue(Throwable failure) {
        return Causes.include(failure, TimedBody.OverdueException.class);
    }

    /** A request with a bounded body. Used by one thread at a time. */
    private static final class Timed extends HttpServletRequestWrapper {

        private final LongSupplier nanosLeft;
        private @Nullable ServletInputStream body;
        private @Nullable BufferedReader reader;

        Timed(HttpServletRequest request, LongSupplier nanosLeft) {
            super(request);
            this.nanosLeft = nanosLeft;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            ServletInputStream known = body;
            if (known == null) {
                known = new TimedBody(super.getInputStream(), nanosLeft);
                body = known;
            }
            return known;
        }

        @Override
        public BufferedReader getReader() throws IOException {
            BufferedReader known = reader;
            if (known == null) {
                String encoding =
                        Objects.requireNonNullElse(getCharacterEncoding(), StandardCharsets.ISO_8859_1.name());
                known = new BufferedReader(new InputStreamReader(getInputStream(), encoding));
                reader = known;
            }
            return known;
        }
    }
}
