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
import io.idem.http.TenantResolver;
import io.idem.http.internal.admission.RequestProtection.BodyNext;
import io.idem.http.internal.admission.RequestProtection.KeyBehindCheck;
import io.idem.http.internal.admission.RequestProtection.Keyed;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.server.PathContainer;

/**
 * Admits requests in three steps, none of which asks the store: key and tenant, the route's check, fingerprint. A key that a request brings
 * with it is read behind the check. Thread-safe.
 */
public final class RequestAdmission {

    private static final Logger LOG = LoggerFactory.getLogger(RequestAdmission.class);

    private final String keyHeader;
    private final TenantResolver tenants;
    private final TenantParts tenantParts;
    private final RequestFingerprinter fingerprinter;
    private final MappedHandlers handlers;

    /**
     * Creates an admission.
     *
     * @param keyHeader name of the key's header
     */
    RequestAdmission(
            String keyHeader,
            TenantResolver tenants,
            TenantParts tenantParts,
            RequestFingerprinter fingerprinter,
            MappedHandlers handlers) {
        this.keyHeader = keyHeader;
        this.tenants = tenants;
        this.tenantParts = tenantParts;
        this.fingerprinter = fingerprinter;
        this.handlers = handlers;
    }

    /** Reads the key in the header of a request and finds its tenant: the first step. */
    public RequestProtection admit(IncomingRequest request, RouteOptions options) {
        if (options.keySource().isPresent()) {
            return new KeyBehindCheck();
        }
        KeyReading reading = KeyHeader.read(request.header(keyHeader), options.keyRules());
        if (reading instanceof KeyReading.Malformed malformed) {
            return refused(HttpProblem.KEY_MALFORMED, malformed.why());
        }
        if (reading instanceof KeyReading.Present present) {
            return keyed(request, options, present.key(), present.sent());
        }
        return options.required()
                ? refused(
                        HttpProblem.KEY_MISSING,
                        "Send a header " + keyHeader
                                + " with a value that is unique to this operation, for example a UUID.")
                : new RequestProtection.Unprotected();
    }

    /**
     * Checks a request whose body was read: the second step. A key that the request brings with it is read, and its tenant found, if the
     * route's check has no objection.
     *
     * @return the key or a refusal
     */
    public RequestProtection checked(IncomingRequest request, Routes.Match route, BodyNext first, ReceivedBody body) {
        Optional<Refusal> objection = route.options().check().check(request, body.bytes());
        if (objection.isPresent()) {
            return new RequestProtection.Refused(objection.get());
        }
        return first instanceof Keyed ? first : brought(request, route, body);
    }

    private RequestProtection brought(IncomingRequest request, Routes.Match route, ReceivedBody body) {
        KeySource source = route.options().keySource().orElseThrow();
        Optional<List<String>> parts = source.read(request, body.bytes()).filter(RequestAdmission::complete);
        if (parts.isEmpty()) {
            return refused(
                    HttpProblem.KEY_MISSING,
                    "This route takes the key from " + source.place() + ", and the request has none there.");
        }
        List<String> former = source.former(request, body.bytes())
                .filter(RequestAdmission::complete)
                .orElse(parts.get());
        try {
            return keyed(
                    request,
                    route.options(),
                    BroughtKey.of(route.address(), parts.get()),
                    BroughtKey.of(route.address(), former));
        } catch (InvalidKeyException unusable) {
            return refused(
                    HttpProblem.KEY_MALFORMED,
                    "This route takes the key from " + source.place()
                            + ", and what is there is not well-formed Unicode.");
        }
    }

    private static boolean complete(List<String> parts) {
        return !parts.isEmpty() && parts.stream().noneMatch(String::isBlank);
    }

    /**
     * Returns the operation of the request: the third step.
     *
     * @param former view of the request as earlier versions read it
     * @param paths supplier of the paths under which the request may find its handler
     */
    public Operation operation(
            IncomingRequest request,
            IncomingRequest former,
            RouteOptions options,
            IdempotencyKey key,
            ReceivedBody body,
            Supplier<List<PathContainer>> paths) {
        RequestFingerprinter digests = options.fingerprinter().orElse(fingerprinter);
        ObservedRequest.of(request)
                .ifPresent(seen -> seen.admitted(new RecordId(key, options.scope()), request, tenantParts));
        return Operation.of(key, options.scope(), options.policy())
                .withFingerprint(handlers.selecting(digests.fingerprint(request, body.fingerprinted()), request, paths)
                        .formerly(digests.fingerprint(former, body.fingerprinted())))
                .withPayloads(List.of(body.bytes()))
                .withTransport(Operation.HTTP)
                .atIntake();
    }

    private RequestProtection keyed(IncomingRequest request, RouteOptions options, String value, String former) {
        return key(request, options, value, former)
                .<RequestProtection>map(Keyed::new)
                .orElseGet(() -> refused(
                        HttpProblem.TENANT_UNKNOWN, "Authenticate, then send the request again with the same key."));
    }

    private Optional<IdempotencyKey> key(IncomingRequest request, RouteOptions options, String value, String former) {
        try {
            Optional<IdempotencyKey> key = tenantParts
                    .beside(options.tenants().orElse(tenants))
                    .resolve(request)
                    .map(tenant -> new IdempotencyKey(tenant, value).formerly(new IdempotencyKey(tenant, former)));
            if (key.isEmpty()) {
                LOG.warn(
                        "A request of scope \"{}\" has no tenant and was refused with 403; authenticate the route,"
                                + " or set idem.http.tenant=SINGLE if the application has one tenant only",
                        options.scope());
            }
            return key;
        } catch (InvalidKeyException unusableTenant) {
            LOG.warn(
                    "The resolved tenant of a request of scope \"{}\" cannot be used: {}",
                    options.scope(),
                    unusableTenant.getMessage());
            return Optional.empty();
        }
    }

    private static RequestProtection refused(HttpProblem problem, String detail) {
        return new RequestProtection.Refused(Refusal.of(problem, detail));
    }
}
