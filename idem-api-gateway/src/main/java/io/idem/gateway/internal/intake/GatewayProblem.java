package io.idem.gateway.internal.intake;

import io.idem.http.Problem;
import java.util.Locale;

/** The refusals of the intake, beside those of the idempotency filter. */
public enum GatewayProblem implements Problem {
    /** The body is not one JSON object. */
    BODY_NOT_JSON_OBJECT(400, "The request body is not a JSON object", false),
    /** The body is not what the route's JSON Schema asks for. */
    BODY_SCHEMA_VIOLATED(400, "The request body does not have the form that this route takes", false),
    /** No credentials, or not valid ones. */
    UNAUTHENTICATED(401, "The caller is not authenticated", true),
    /** The caller is known, and lacks a scope of the token, or is no operator. */
    ACCESS_DENIED(403, "The caller may not do this", true),
    /** No participant knows the key, or it is another tenant's. */
    OPERATION_UNKNOWN(404, "No operation has this idempotency key", true),
    /** The path is one of the intake's, the method is not. */
    METHOD_NOT_ALLOWED(405, "The path does not take this method", false),
    /** The body arrived too slowly. */
    BODY_TOO_SLOW(408, "The request body did not arrive in time", true),
    /** A consumer has rejected the operation, and a retry opens it again. */
    OPERATION_REJECTED(409, "A consumer has rejected the operation", true),
    /** The body is said to be something else than JSON. */
    MEDIA_TYPE_UNSUPPORTED(415, "The request body must be JSON", false),
    /** The tenant has sent as many requests as it may. */
    TOO_MANY_REQUESTS(429, "The tenant has sent as many requests as it may", true),
    /** As many requests are in flight as may be. */
    OVERLOADED(503, "The service has as many requests in flight as it takes", true),
    /** Whoever verifies the credentials does not answer. */
    AUTHENTICATION_UNAVAILABLE(503, "The caller's credentials cannot be verified at the moment", true),
    /** The broker did not confirm the message. */
    HAND_OFF_FAILED(503, "The request could not be handed off", true);

    private final int status;
    private final String title;
    private final boolean retryWithSameKey;

    GatewayProblem(int status, String title, boolean retryWithSameKey) {
        this.status = status;
        this.title = title;
        this.retryWithSameKey = retryWithSameKey;
    }

    @Override
    public String slug() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public boolean retryWithSameKey() {
        return retryWithSameKey;
    }
}
