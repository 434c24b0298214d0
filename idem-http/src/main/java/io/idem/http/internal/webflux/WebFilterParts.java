package io.idem.http.internal.webflux;

import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.FilterParts;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Puts the filter together from its replaceable parts, for applications without Spring Boot's auto-configuration. Immutable.
 *
 * @param executor runs operations
 * @param common what every filter has
 * @param codecs read forms and multipart bodies for their handlers
 * @param errors the application's error handlers, in their order; asked for when a handler fails
 */
public record WebFilterParts(
        AsyncIdempotentExecutor executor,
        FilterParts common,
        ServerCodecConfigurer codecs,
        Supplier<List<WebExceptionHandler>> errors) {

    /** The filter. */
    public IdempotencyWebFilter filter() {
        return new IdempotencyWebFilter(common.routes(), protection());
    }

    /** What a granted request passes through, for filters on functional routes. */
    public Protection protection() {
        Answers answers = common.answers();
        ReactiveExchangeSettler settler = new ReactiveExchangeSettler(executor, common.headers(), answers);
        return new Protection(
                common.reports(),
                common.requestAdmission(),
                new ReactiveWaitingExecutor(executor),
                answers,
                new GuardedRun(settler, new ErrorAnswers(errors), answers),
                codecs);
    }
}
