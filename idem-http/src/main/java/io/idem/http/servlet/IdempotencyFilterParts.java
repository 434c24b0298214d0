package io.idem.http.servlet;

import io.idem.IdempotentExecutor;
import io.idem.http.HeaderPolicy;
import java.util.function.Supplier;

/**
 * Puts the filter together from its replaceable parts, for applications without Spring Boot's auto-configuration. Register both
 * {@link #filter()} and {@link #end()}. Immutable.
 *
 * @param executor runs operations
 * @param routes asked at every request
 * @param keyHeader name of the key's header
 * @param tenants say whose key it is
 * @param fingerprinter digests requests
 * @param multipart whether the container takes multipart bodies apart
 * @param headers chooses the headers that are stored
 * @param refusals answers what is refused
 * @param marker marks replays
 */
public record IdempotencyFilterParts(
        IdempotentExecutor executor,
        Supplier<Routes> routes,
        String keyHeader,
        TenantResolver tenants,
        RequestFingerprinter fingerprinter,
        boolean multipart,
        HeaderPolicy headers,
        Refusals refusals,
        ReplayMarker marker) {

    /** The filter; to be mapped to REQUEST, ASYNC and ERROR. */
    public IdempotencyFilter filter() {
        AdmissionDesk desk = new AdmissionDesk(keyHeader, tenants, new RequestBodyReader(multipart), fingerprinter);
        return new IdempotencyFilter(routes, desk, new PatientExecutor(executor), answers(), settler());
    }

    /** The listener that settles what no dispatch settled. */
    public ExchangeEnd end() {
        return new ExchangeEnd(settler());
    }

    private ExchangeSettler settler() {
        return new ExchangeSettler(headers, answers());
    }

    private NotRunAnswers answers() {
        return new NotRunAnswers(refusals, new Replays(marker));
    }
}
