package io.idem.http.internal.webflux;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.ErrorResponse;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Calls the application's error handlers, which stand before all filters, for a failure that has a status of its own, while the answer can
 * still be recorded. All other failures, and those that Spring Security answers, reach the handlers in the usual way.
 */
record ErrorAnswers(Supplier<List<WebExceptionHandler>> handlers) {

    static Optional<HttpStatusCode> statusOf(Throwable failure) {
        if (failure instanceof ErrorResponse told) {
            return Optional.of(told.getStatusCode());
        }
        return Optional.ofNullable(AnnotatedElementUtils.findMergedAnnotation(failure.getClass(), ResponseStatus.class))
                .map(ResponseStatus::code);
    }

    /** Answers a failure; fails with it, or with another, if no handler answers it. */
    Mono<Void> answer(ServerWebExchange exchange, Throwable failure) {
        Mono<Void> answered = Mono.error(failure);
        for (WebExceptionHandler handler : handlers.get()) {
            answered = answered.onErrorResume(left -> handler.handle(exchange, left));
        }
        return answered;
    }
}
