package io.idem.gateway.internal.intake;

import io.idem.gateway.AwaitedOutcome;
import io.idem.http.Routes;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.RequestAdmission;
import io.idem.http.internal.admission.RequestProtection;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.idem.http.internal.servlet.ServletRequestPaths;
import io.idem.http.outcome.WaitPreference;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.WebUtils;

/**
 * Holds back the answer to a request with {@code Prefer: wait} until its consumers are done, or the time is over.
 * Surrounds the idempotency filter: when the wait begins, the request's record is COMPLETED with the intake's answer,
 * which a replay gets. Thread-safe; no thread is blocked.
 */
public final class WaitingFilter extends OncePerRequestFilter {

    /** The order of the filter: behind authentication, around the idempotency filter. */
    public static final int ORDER = IdempotencyServletFilter.ORDER - 5;

    private final OutcomeWaits waits;
    private final FilterParts parts;
    private final RequestAdmission requestAdmission;
    private final AsyncAnswers answers;

    /** @param parts the parts of the idempotency filter */
    public WaitingFilter(OutcomeWaits waits, FilterParts parts, AsyncAnswers answers) {
        this.waits = waits;
        this.parts = parts;
        this.requestAdmission = parts.requestAdmission();
        this.answers = answers;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isAsyncDispatch(request)) {
            resume(request, response, chain);
            return;
        }
        Optional<Duration> wait = waits.asked(Collections.list(request.getHeaders(WaitPreference.HEADER)));
        Optional<Routes.Match> match = wait.flatMap(asked -> match(request));
        Optional<AwaitedOutcome> route = match.flatMap(found -> waits.of(request.getMethod(), found.pattern()));
        if (wait.isEmpty() || match.isEmpty() || route.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        HeldAnswer held = new HeldAnswer(response);
        chain.doFilter(request, held);
        if (!request.isAsyncStarted()) {
            answer(request, held, match.get(), route.get(), wait.get());
        }
    }

    /** Passes on asynchronous answers of a handler, which are not held back any longer. */
    private static void resume(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        chain.doFilter(request, response);
        HeldAnswer held = WebUtils.getNativeResponse(response, HeldAnswer.class);
        if (held != null && !request.isAsyncStarted()) {
            held.send();
        }
    }

    private Optional<Routes.Match> match(HttpServletRequest request) {
        return parts.routes().get().match(request.getMethod(), () -> ServletRequestPaths.within(request));
    }

    private void answer(
            HttpServletRequest request, HeldAnswer held, Routes.Match match, AwaitedOutcome route, Duration wait)
            throws IOException {
        boolean waiting = held.taken()
                && requestAdmission.admit(IncomingServletRequest.of(request), match.options())
                        instanceof RequestProtection.Keyed keyed
                && waits.await(keyed.key().former(), route, wait)
                        .map(outcome -> {
                            answers.answerAsync(request, held, route, wait, outcome);
                            return true;
                        })
                        .orElse(false);
        if (!waiting) {
            held.send();
        }
    }
}
