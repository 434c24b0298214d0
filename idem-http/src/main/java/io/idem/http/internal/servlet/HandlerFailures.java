package io.idem.http.internal.servlet;

import io.idem.FailurePolicy;
import io.idem.http.internal.admission.HandlerRun;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Notes the failure of a handler before the exception is turned into an answer. The transaction of an inbox is rolled back then.
 * If the handler had returned, it is the writing of its answer that failed. If the container gave up while the handler's work goes on in
 * another thread, or if the handler's own stage timed out, the outcome of the work is unknown. Thread-safe.
 */
public final class HandlerFailures implements HandlerExceptionResolver, Ordered {

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception failure) {
        Optional<ServletExchange> exchange = ServletExchange.of(request);
        Optional<ServletExchange> async =
                exchange.filter(of -> of.asynchronous() && of.response().withheld());
        if (exchange.isPresent() && failure instanceof AsyncRequestNotUsableException) {
            async.ifPresent(of -> of.handler().giveUp());
            return null;
        }
        if (exchange.filter(of -> of.response().clientGone()).isEmpty()) {
            ChainEnd.handlerOf(request).ifPresent(HandlerRun::failed);
        }
        if (FailurePolicy.leavesStageOpen(failure)) {
            async.ifPresent(of -> of.handler().timeOut());
        }
        return null;
    }
}
