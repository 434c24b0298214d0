package io.idem.http.internal.admission;

import io.idem.http.HeaderPolicy;
import io.idem.http.RequestFingerprinter;
import io.idem.http.Routes;
import io.idem.http.TenantResolver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.springframework.http.HttpHeaders;
import org.springframework.util.StringUtils;

/**
 * The replaceable parts that the servlet filter and the WebFlux filter have in common. Immutable.
 *
 * @param routes supplier of the routes, called for every request
 * @param keyHeader name of the key's header
 * @param tenants resolver of tenants
 * @param fingerprinter fingerprinter of requests
 * @param headers choice of the headers that are stored
 * @param refusals renderer of refusals
 * @param marker header that marks replays
 * @param reports metrics and published values of routes
 * @param tenantParts parts of requests that belong to the tenant
 * @param handlers handler methods of the application
 * @param waitingRoom seats of requests that wait for others
 */
public record FilterParts(
        Supplier<Routes> routes,
        String keyHeader,
        TenantResolver tenants,
        RequestFingerprinter fingerprinter,
        HeaderPolicy headers,
        RefusalRenderer refusals,
        ReplayMarker marker,
        RouteReports reports,
        TenantParts tenantParts,
        MappedHandlers handlers,
        WaitingRoom waitingRoom) {

    /** Returns the resolver of the tenants of keys. */
    public TenantResolver keyTenants() {
        return tenantParts.beside(tenants);
    }

    /** Returns the names of the response headers that scripts of other origins may read. */
    public String exposedHeaders() {
        List<String> names = new ArrayList<>(
                List.of(keyHeader, marker.name(), Answers.BODY_OMITTED, HttpHeaders.RETRY_AFTER, HttpHeaders.LINK));
        reports.retentionHeader().ifPresent(names::add);
        return String.join(", ", names);
    }

    /** Returns one line with the names that lines of a header list and with further ones, each once; letter case does not count. */
    public static String listing(Collection<String> lines, String further) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Collections.addAll(names, StringUtils.tokenizeToStringArray(String.join(",", lines) + "," + further, ","));
        return String.join(", ", names);
    }

    /** Returns the maker of answers in place of a handler's. */
    public Answers answers() {
        return new Answers(refusals, marker);
    }
}
