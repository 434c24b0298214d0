package io.idem.http.internal.servlet;

import io.idem.Outbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.internal.admission.FilterParts;
import java.util.Optional;

/**
 * The replaceable parts of the servlet filter, from which it is made, also in applications without Spring Boot's auto-configuration.
 * Register both {@link #filter()} and {@link #end()}. Immutable.
 *
 * @param executor executor of operations
 * @param common parts that every filter has
 * @param multipart whether the container parses multipart bodies
 * @param outbox outbox in whose transactions routes with an inbox run
 */
public record IdempotencyFilterParts(
        IdempotentExecutor executor,
        FilterParts common,
        boolean multipart,
        Optional<Outbox> outbox) {

    /** Creates the parts of a filter whose routes have no inbox. */
    public IdempotencyFilterParts(
            IdempotentExecutor executor, FilterParts common, boolean multipart) {
        this(executor, common, multipart, Optional.empty());
    }

    /** Returns the filter; map it to REQUEST, ASYNC and ERROR. */
    public IdempotencyServletFilter filter() {
        WaitingExecutor patient = new WaitingExecutor(executor);
        return new IdempotencyServletFilter(
                common.routes(),
                new ServletRequestAdmission(
                        common.reports(), common.requestAdmission(), new ServletRequestBodyReader(multipart)),
                patient,
                common.answers(),
                settler(),
                new InboxedRequests(outbox, patient, common.headers(), common.answers()));
    }

    /** Returns the listener that settles requests that no dispatch settled. */
    public ExchangeEnd end() {
        return new ExchangeEnd(settler());
    }

    private ServletExchangeSettler settler() {
        return new ServletExchangeSettler(common.headers(), common.answers());
    }
}
