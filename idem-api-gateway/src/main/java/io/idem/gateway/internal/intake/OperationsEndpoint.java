package io.idem.gateway.internal.intake;

import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.http.HttpProblem;
import io.idem.http.KeyRules;
import io.idem.http.OperationStatus;
import io.idem.http.OperationStatusReader;
import io.idem.http.Refusal;
import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.IncomingServletRequest;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpMethod;
import org.springframework.web.servlet.function.RequestPredicate;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Reports the progress of an operation, at the intake and at each consumer, to the tenant of the key. Thread-safe.
 *
 * @param tenants resolve the tenant of a request
 */
public record OperationsEndpoint(
        OperationStatusReader reader, TenantResolver tenants, Refusals refusals, OutcomeWaits waits) {

    private static final String KEY = "key";
    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(30);

    /**
     * Returns {@code GET path?key=} for every key, and {@code GET path/{key}} for keys that a path can contain:
     * containers and firewalls refuse slashes and other characters there. The key is unquoted and percent-encoded. With
     * {@code Prefer: wait} the answer comes once the operation is settled.
     */
    public RouterFunction<ServerResponse> at(String path) {
        RequestPredicate reading = RequestPredicates.methods(HttpMethod.GET, HttpMethod.HEAD);
        return RouterFunctions.route()
                .route(
                        reading.and(RequestPredicates.path(path + "/{" + KEY + "}")),
                        request -> status(request, request.pathVariable(KEY)))
                .route(reading.and(RequestPredicates.path(path)), this::asked)
                .build();
    }

    private ServerResponse asked(ServerRequest request) {
        List<String> keys = request.params().getOrDefault(KEY, List.of());
        return switch (keys.size()) {
            case 0 -> refused(Refusal.of(HttpProblem.KEY_MISSING, "Ask with ?key= and the key, percent-encoded."));
            case 1 -> status(request, keys.get(0));
            default -> refused(Refusal.of(HttpProblem.KEY_MALFORMED, "Ask for one key at a time."));
        };
    }

    private ServerResponse status(ServerRequest request, String key) {
        Optional<String> tenant = tenants.resolve(IncomingServletRequest.of(request.servletRequest()));
        if (tenant.isEmpty()) {
            return refused(Refusal.of(HttpProblem.TENANT_UNKNOWN, "Authenticate, then ask again."));
        }
        try {
            IdempotencyKey sent = new IdempotencyKey(tenant.get(), key);
            return status(List.of(new IdempotencyKey(tenant.get(), KeyRules.canonical(key)), sent), request);
        } catch (InvalidKeyException malformed) {
            return refused(Refusal.of(HttpProblem.KEY_MALFORMED, malformed.getMessage() + "."));
        }
    }

    /** Returns the status of the first key that has a record. */
    private ServerResponse status(List<IdempotencyKey> keys, ServerRequest request) {
        try {
            return keys.stream()
                    .distinct()
                    .flatMap(key -> reader.read(key).map(status -> status(key, status, request)).stream())
                    .findFirst()
                    .orElseGet(() -> refused(Refusal.of(
                            GatewayProblem.OPERATION_UNKNOWN,
                            "No participant has a record of this key, or not any more.")));
        } catch (StoreUnavailableException silent) {
            return refused(Refusal.of(HttpProblem.STORE_UNAVAILABLE, "The records cannot be read. Ask again.")
                    .retryAfter(PAUSE));
        } catch (UnreadableRecordException unreadable) {
            return refused(Refusal.of(HttpProblem.RECORD_UNREADABLE, "Ask again once the operator has repaired it."));
        }
    }

    private ServerResponse status(IdempotencyKey key, OperationStatus now, ServerRequest request) {
        return waits.asked(request.headers().header(WaitPreference.HEADER))
                .flatMap(wait -> later(key, now, wait))
                .orElseGet(() -> shown().body(now));
    }

    /** Returns a later answer; empty if too many clients wait already. */
    private Optional<ServerResponse> later(IdempotencyKey key, OperationStatus now, Duration wait) {
        return waits.await(key, wait)
                .map(outcome -> ServerResponse.async(
                        outcome.thenApply(snapshot -> {
                            OperationStatus status = snapshot.status().orElse(now);
                            return shown().header(WaitPreference.APPLIED, WaitPreference.applied(wait))
                                    .body(status);
                        }),
                        wait.plus(GRACE)));
    }

    private static ServerResponse.BodyBuilder shown() {
        return ServerResponse.ok().cacheControl(CacheControl.noStore());
    }

    private ServerResponse refused(Refusal refusal) {
        return new RefusalResponse(refusal, refusals);
    }
}
