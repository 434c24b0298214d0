package io.idem.http.internal.admission;

import io.idem.http.HeaderPolicy;
import io.idem.http.RequestFingerprinter;
import io.idem.http.Routes;
import io.idem.http.TenantResolver;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * The replaceable parts that a filter has whatever carries its requests. Immutable.
 *
 * @param routes asked at every request
 * @param keyHeader name of the key's header
 * @param tenants say whose key it is
 * @param fingerprinter digests requests
 * @param headers chooses the headers that are stored
 * @param refusals answer what is refused
 * @param marker marks replays
 * @param reports what routes tell of themselves
 */
public record FilterParts(
        Supplier<Routes> routes,
        String keyHeader,
        TenantResolver tenants,
        RequestFingerprinter fingerprinter,
        HeaderPolicy headers,
        RefusalRenderer refusals,
        ReplayMarker marker,
        RouteReports reports) {

    /** What is asked of a request before its key is taken. */
    public RequestAdmission requestAdmission() {
        return new RequestAdmission(keyHeader, tenants, fingerprinter);
    }

    /** The response headers that scripts of other origins may want to read. */
    public List<String> exposedHeaders() {
        List<String> names = new ArrayList<>(List.of(marker.name(), Answers.BODY_OMITTED));
        reports.retentionHeader().ifPresent(names::add);
        return names;
    }

    /** What is answered to requests that are not run. */
    public Answers answers() {
        return new Answers(refusals, marker);
    }
}
