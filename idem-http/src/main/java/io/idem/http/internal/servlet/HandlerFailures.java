package io.idem.http.internal.servlet;

import io.idem.FailurePolicy;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Notes that a handler threw, before somebody makes an answer of its exception: its transaction is to be rolled back; and if it was the
 * container that gave up while the handler's work is under way elsewhere, or a timeout of the handler's own stage, nothing is known of that
 * work. Thread-safe.
 */
public final class HandlerFailures implements HandlerExceptionResolver, Ordered {

    /** One for every application. */
    public HandlerFailures() {}

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        InboxedWork.handlerFailed(request);
        if (failure instanceof AsyncRequestNotUsableException) {
            ServletExchange.of(request).filter(HandlerFailures::answersAsync).ifPresent(ServletExchange::giveUp);
        } else if (FailurePolicy.leavesStageOpen(failure)) {
            ServletExchange.of(request).filter(HandlerFailures::answersAsync).ifPresent(ServletExchange::timeOut);
        }
        return null;
    }

    private static boolean answersAsync(ServletExchange exchange) {
        return exchange.asynchronous() && exchange.response().withheld();
    }
}
