package io.idem.http.internal.servlet;

import io.idem.Outbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.internal.admission.Answers;
import io.idem.http.internal.admission.ExchangeSettler;
import io.idem.http.internal.admission.FilterParts;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The replaceable parts of the servlet filter, from which it is made, also in applications without Spring Boot's auto-configuration.
 * Register {@link #filter()}, a {@link ChainEnd} and {@link #end()}, and make a {@link HandlerCalls} a bean of each dispatcher servlet's
 * context: without them no answer would be known to be a handler's, and none would be stored. Immutable.
 *
 * @param executor executor of operations
 * @param common parts that every filter has
 * @param multipart whether the container parses multipart bodies
 * @param outbox outbox in whose transactions routes with an inbox run
 * @param store store of the records, in which requests that wait look for the end of another one
 * @param missed names the filters that may not be around a request in a dispatch of type ASYNC; if there are any, requests that wait
 *     hold a thread
 */
public record IdempotencyFilterParts(
        IdempotentExecutor executor,
        FilterParts common,
        boolean multipart,
        Optional<Outbox> outbox,
        IdempotencyStore store,
        Supplier<List<String>> missed) {

    /** Returns the filter; map it to REQUEST, FORWARD, ASYNC and ERROR. */
    public IdempotencyServletFilter filter() {
        return new IdempotencyServletFilter(this);
    }

    /** Returns the listener that settles requests that no dispatch settled. */
    public ExchangeEnd end() {
        return new ExchangeEnd(settler());
    }

    ServletExchangeSettler settler() {
        Answers answers = common.answers();
        return new ServletExchangeSettler(common.headers(), answers, ExchangeSettler.blocking(answers));
    }
}
