package io.idem.http.internal.admission;

import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.RecordId;
import io.idem.http.HttpProblem;
import io.idem.http.IncomingRequest;
import io.idem.http.KeySource;
import io.idem.http.Refusal;
import io.idem.http.RequestFingerprinter;
import io.idem.http.RouteOptions;
import io.idem.http.Routes;
import io.idem.http.internal.admission.RequestProtection.KeyBehindCheck;
import io.idem.http.internal.admission.RequestProtection.Keyed;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.PathContainer;

/**
 * Admits requests in two steps, neither of which asks the store: key and tenant, then the route's check and the fingerprint. A key that a
 * request brings with it is read behind the check. Thread-safe.
 */
public record RequestAdmission(FilterParts common) {

    private static final Logger LOG = LoggerFactory.getLogger(RequestAdmission.class);

    /**
     * Reads the key in the header of a request and finds its tenant: the first step.
     *
     * @return empty if the request has no key and its route needs none
     * @throws RequestRefusedException if the request is not run
     */
    public Optional<RequestProtection> admit(IncomingRequest request, RouteOptions options) {
        Stream<String> codings = request.header(HttpHeaders.CONTENT_ENCODING).stream();
        if (options.bodyAsSent() && !ContentCodings.tokens(codings).isEmpty()) {
            throw refused(
                    HttpProblem.CONTENT_CODING_UNSUPPORTED,
                    "Send the body without Content-Encoding; this route hands it on as it is and decodes none.");
        }
        if (options.keySource().isPresent()) {
            return Optional.of(new KeyBehindCheck());
        }
        KeyReading reading = KeyHeader.read(request.header(common.keyHeader()), options.keyRules());
        if (reading instanceof KeyReading.Malformed malformed) {
            throw refused(HttpProblem.KEY_MALFORMED, malformed.why());
        }
        if (reading instanceof KeyReading.Present present) {
            return Optional.of(new Keyed(key(request, options, present.key(), present.sent())));
        }
        if (options.required()) {
            throw refused(
                    HttpProblem.KEY_MISSING,
                    "Send a header " + common.keyHeader()
                            + " with a value that is unique to this operation, for example a UUID.");
        }
        ObservedRequest.of(request).ifPresent(observed -> observed.ended(ObservedRequest.UNPROTECTED));
        return Optional.empty();
    }

    /**
     * Returns the operation of a request whose body was read: the second step, if the route's check has no objection. A key that the
     * request brings with it is read, and its tenant found, behind the check.
     *
     * @throws RequestRefusedException if the request is not run
     */
    public Operation operation(
            ReceivedRequest request, Routes.Match route, RequestProtection first, ReceivedBody body) {
        RouteOptions options = route.options();
        options.check().check(request, body.bytes()).ifPresent(objection -> {
            throw new RequestRefusedException(objection);
        });
        IdempotencyKey key = first instanceof Keyed keyed ? keyed.key() : brought(request, route, body);
        ReceivedRequest compared = request.comparable();
        ObservedRequest.of(compared)
                .ifPresent(seen -> seen.admitted(new RecordId(key, options.scope()), compared, common.tenantParts()));
        RequestFingerprinter digests = options.fingerprinter().orElse(common.fingerprinter());
        IncomingRequest former = isAlsoSentWithPrefix(compared) ? compared : compared.former();
        return Operation.of(key, options.scope(), options.policy())
                .withFingerprint(common.handlers()
                        .selecting(digests.fingerprint(compared, body.fingerprinted()), compared, request::pathsWithin)
                        .formerly(digests.fingerprint(former, body.fingerprinted())))
                .withPayloads(List.of(body.bytes()))
                .withTransport(Operation.HTTP)
                .atIntake();
    }

    /** Returns whether the path with the prefix that a proxy has cut off from a request is also that of a route, without a prefix. */
    private boolean isAlsoSentWithPrefix(ReceivedRequest request) {
        String path = request.former().path();
        return IntStream.range(0, Math.min(path.length(), request.contextPath().length()))
                .filter(at -> path.charAt(at) == '/')
                .mapToObj(at -> List.of(PathContainer.parsePath(path.substring(at))))
                .anyMatch(rest ->
                        common.routes().get().find(request.method(), () -> rest).isPresent());
    }

    private IdempotencyKey brought(IncomingRequest request, Routes.Match route, ReceivedBody body) {
        KeySource source = route.options().keySource().orElseThrow();
        List<String> parts = source.read(request, body.bytes())
                .filter(RequestAdmission::complete)
                .orElseThrow(() -> refused(
                        HttpProblem.KEY_MISSING,
                        "This route takes the key from " + source.place() + ", and the request has none there."));
        List<String> former = source.former(request, body.bytes())
                .filter(RequestAdmission::complete)
                .orElse(parts);
        try {
            return key(
                    request,
                    route.options(),
                    BroughtKey.of(route.address(), parts),
                    BroughtKey.of(route.address(), former));
        } catch (InvalidKeyException unusable) {
            throw refused(
                    HttpProblem.KEY_MALFORMED,
                    "This route takes the key from " + source.place()
                            + ", and what is there is not well-formed Unicode.");
        }
    }

    private static boolean complete(List<String> parts) {
        return !parts.isEmpty() && parts.stream().noneMatch(String::isBlank);
    }

    private IdempotencyKey key(IncomingRequest request, RouteOptions options, String value, String former) {
        try {
            return common.tenantParts()
                    .beside(options.tenants().orElse(common.tenants()))
                    .resolve(request)
                    .map(tenant -> new IdempotencyKey(tenant, value).formerly(new IdempotencyKey(tenant, former)))
                    .orElseThrow(() -> {
                        LOG.warn(
                                "A request of scope \"{}\" has no tenant and was refused with 403; {}",
                                options.scope(),
                                request.principal()
                                        .map(known -> "its caller is known by a "
                                                + known.getClass().getName()
                                                + ", in which idem.http.tenant finds none: set another source, or define a"
                                                + " TenantResolver bean")
                                        .orElse(
                                                "authenticate the route, or set idem.http.tenant=SINGLE if the application"
                                                        + " has one tenant only"));
                        return refused(
                                HttpProblem.TENANT_UNKNOWN,
                                "Authenticate, then send the request again with the same key.");
                    });
        } catch (InvalidKeyException unusableTenant) {
            LOG.warn(
                    "The resolved tenant of a request of scope \"{}\" cannot be used: {}",
                    options.scope(),
                    unusableTenant.getMessage());
            throw refused(HttpProblem.TENANT_UNKNOWN, "What names the tenant cannot be used; the log says why.");
        }
    }

    private static RequestRefusedException refused(HttpProblem problem, String detail) {
        return new RequestRefusedException(Refusal.of(problem, detail));
    }
}
