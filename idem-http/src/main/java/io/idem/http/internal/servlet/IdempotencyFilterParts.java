package io.idem.http.internal.servlet;

import io.idem.Outbox;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.admission.FunctionalRoutes;
import java.util.Optional;

/**
 * Puts the filter together from its replaceable parts, for applications without Spring Boot's auto-configuration. Register both
 * {@link #filter()} and {@link #end()}. Immutable.
 *
 * @param executor runs operations
 * @param common what every filter has
 * @param multipart whether the container takes multipart bodies apart
 * @param functions the application's protected functional routes
 * @param outbox in whose transactions the routes run that ask for an inbox
 */
public record IdempotencyFilterParts(
        IdempotentExecutor executor,
        FilterParts common,
        boolean multipart,
        FunctionalRoutes functions,
        Optional<Outbox> outbox) {

    /** Parts of a filter whose routes ask for no inbox. */
    public IdempotencyFilterParts(
            IdempotentExecutor executor, FilterParts common, boolean multipart, FunctionalRoutes functions) {
        this(executor, common, multipart, functions, Optional.empty());
    }

    /** The filter; to be mapped to REQUEST, ASYNC and ERROR. */
    public IdempotencyServletFilter filter() {
        WaitingExecutor patient = new WaitingExecutor(executor);
        return new IdempotencyServletFilter(
                common.routes(),
                functions,
                new ServletRequestAdmission(
                        common.reports(), common.requestAdmission(), new ServletRequestBodyReader(multipart)),
                patient,
                common.answers(),
                settler(),
                new InboxedRequests(outbox, patient, common.headers(), common.answers()));
    }

    /** The listener that settles what no dispatch settled. */
    public ExchangeEnd end() {
        return new ExchangeEnd(settler());
    }

    private ServletExchangeSettler settler() {
        return new ServletExchangeSettler(common.headers(), common.answers());
    }
}
