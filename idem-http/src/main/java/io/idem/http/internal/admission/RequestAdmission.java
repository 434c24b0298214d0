package io.idem.http.internal.admission;

import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.http.HttpProblem;
import io.idem.http.IncomingRequest;
import io.idem.http.Refusal;
import io.idem.http.RequestFingerprinter;
import io.idem.http.RouteOptions;
import io.idem.http.TenantResolver;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits requests in three steps, none of which asks the store: key and tenant, the route's check, fingerprint. Thread-safe. */
public final class RequestAdmission {

    private static final Logger LOG = LoggerFactory.getLogger(RequestAdmission.class);

    private final String keyHeader;
    private final TenantResolver tenants;
    private final RequestFingerprinter fingerprinter;

    /**
     * Creates an admission.
     *
     * @param keyHeader name of the key's header
     */
    public RequestAdmission(String keyHeader, TenantResolver tenants, RequestFingerprinter fingerprinter) {
        this.keyHeader = keyHeader;
        this.tenants = tenants;
        this.fingerprinter = fingerprinter;
    }

    /** Reads the key of a request and finds its tenant: the first step. */
    public RequestProtection admit(IncomingRequest request, RouteOptions options) {
        KeyReading reading = KeyHeader.read(request.header(keyHeader), options.keyRules());
        if (reading instanceof KeyReading.Malformed malformed) {
            return refused(HttpProblem.KEY_MALFORMED, malformed.why());
        }
        if (reading instanceof KeyReading.Present present) {
            return key(request, options, present.key())
                    .<RequestProtection>map(RequestProtection.Keyed::new)
                    .orElseGet(() -> refused(
                            HttpProblem.TENANT_UNKNOWN,
                            "Authenticate, then send the request again with the same key."));
        }
        return options.required()
                ? refused(
                        HttpProblem.KEY_MISSING,
                        "Send a header " + keyHeader
                                + " with a value that is unique to this operation, for example a UUID.")
                : new RequestProtection.Unprotected();
    }

    /** Returns the objection of the route's check, if it has one, to a request whose body was read: the second step. */
    public Optional<Refusal> objection(IncomingRequest request, RouteOptions options, ReceivedBody body) {
        return options.check().check(request, body.bytes());
    }

    /** Returns the operation of the request: the third step. */
    public Operation operation(IncomingRequest request, RouteOptions options, IdempotencyKey key, ReceivedBody body) {
        RequestFingerprinter digests = options.fingerprinter().orElse(fingerprinter);
        return Operation.of(key, options.scope(), options.policy())
                .withFingerprint(digests.fingerprint(request, body.fingerprinted()))
                .withPayloads(List.of(body.bytes()))
                .withTransport("http")
                .atIntake();
    }

    private Optional<IdempotencyKey> key(IncomingRequest request, RouteOptions options, String value) {
        try {
            TenantResolver whose = options.tenants().orElse(tenants);
            Optional<IdempotencyKey> key = whose.resolve(request).map(tenant -> new IdempotencyKey(tenant, value));
            if (key.isEmpty()) {
                LOG.warn(
                        "A request to an idempotent route has no tenant and was refused with 403; authenticate the route,"
                                + " or set idem.http.tenant=SINGLE if the application has one tenant only");
            }
            return key;
        } catch (InvalidKeyException unusableTenant) {
            LOG.warn("The resolved tenant cannot be used: {}", unusableTenant.getMessage());
            return Optional.empty();
        }
    }

    private static RequestProtection refused(HttpProblem problem, String detail) {
        return new RequestProtection.Refused(Refusal.of(problem, detail));
    }
}
