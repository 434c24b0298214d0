package io.idem.http.servlet;

import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.Operation;
import io.idem.http.HttpProblem;
import io.idem.http.KeyHeader;
import io.idem.http.KeyReading;
import io.idem.http.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Key, tenant, body, check, fingerprint: everything that can be refused without asking the store. */
final class AdmissionDesk {

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionDesk.class);

    private final String keyHeader;
    private final TenantResolver tenants;
    private final RequestBodyReader bodies;
    private final RequestFingerprinter fingerprinter;

    AdmissionDesk(
            String keyHeader, TenantResolver tenants, RequestBodyReader bodies, RequestFingerprinter fingerprinter) {
        this.keyHeader = keyHeader;
        this.tenants = tenants;
        this.bodies = bodies;
        this.fingerprinter = fingerprinter;
    }

    Admission admit(HttpServletRequest request, RouteOptions options) throws IOException {
        KeyReading reading = KeyHeader.read(Collections.list(request.getHeaders(keyHeader)), options.keyRules());
        if (reading instanceof KeyReading.Malformed malformed) {
            return refused(HttpProblem.KEY_MALFORMED, malformed.why());
        }
        if (reading instanceof KeyReading.Present present) {
            return admit(request, options, present.key());
        }
        return options.required()
                ? refused(
                        HttpProblem.KEY_MISSING,
                        "Send a header " + keyHeader
                                + " with a value that is unique to this operation, for example a UUID.")
                : new Admission.Unprotected();
    }

    private Admission admit(HttpServletRequest request, RouteOptions options, String value) throws IOException {
        Optional<IdempotencyKey> key = key(request, value);
        if (key.isEmpty()) {
            return refused(HttpProblem.TENANT_UNKNOWN, "Authenticate, then send the request again with the same key.");
        }
        RequestBody body = bodies.read(request, options.maxRequestBody());
        if (body instanceof RequestBody.Refused refused) {
            return new Admission.Refused(refused.refusal());
        }
        RequestBody.Read read = (RequestBody.Read) body;
        Optional<Refusal> objection = options.check().check(read.request(), read.received());
        return objection
                .<Admission>map(Admission.Refused::new)
                .orElseGet(() -> new Admission.Admitted(operation(key.get(), options, read), read.request()));
    }

    private Operation operation(IdempotencyKey key, RouteOptions options, RequestBody.Read body) {
        return Operation.of(key, options.scope(), options.policy())
                .withFingerprint(fingerprinter.fingerprint(body.request(), body.fingerprinted()))
                .withPayloads(List.of(body.received()))
                .atIntake();
    }

    private Optional<IdempotencyKey> key(HttpServletRequest request, String value) {
        try {
            Optional<IdempotencyKey> key = tenants.resolve(request).map(tenant -> new IdempotencyKey(tenant, value));
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

    private static Admission refused(HttpProblem problem, String detail) {
        return new Admission.Refused(Refusal.of(problem, detail));
    }
}
