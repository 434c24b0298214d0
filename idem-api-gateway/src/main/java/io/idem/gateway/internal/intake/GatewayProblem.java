package io.idem.gateway.internal.intake;

import io.idem.http.Problem;

/** The refusals of the intake, beside those of the idempotency filter. */
public enum GatewayProblem implements Problem {
    /** The body is not one JSON object. */
    BODY_NOT_JSON_OBJECT(400, "The request body is not a JSON object", false),
    /** The body does not match the route's JSON Schema. */
    BODY_SCHEMA_VIOLATED(400, "The request body does not have the form that this route takes", false),
    /** The credentials are missing or not valid. */
    UNAUTHENTICATED(401, "The caller is not authenticated", true),
    /** The caller is known, but its token lacks a scope, or it is not an operator. */
    ACCESS_DENIED(403, "The caller may not do this", true),
    /** The key is unknown to all participants, or belongs to another tenant. */
    OPERATION_UNKNOWN(404, "No operation has this idempotency key", true),
    /** The path belongs to the intake, but not with this method. */
    METHOD_NOT_ALLOWED(405, "The path does not take this method", false),
    /** The content type of the body is not JSON. */
    MEDIA_TYPE_UNSUPPORTED(415, "The request body must be JSON", false),
    /** The tenant has reached its rate limit. */
    TOO_MANY_REQUESTS(429, "The tenant has sent as many requests as it may", true),
    /** The limit of requests in flight is reached. */
    OVERLOADED(503, "The service has as many requests in flight as it takes", true),
    /** The server that verifies the credentials does not answer. */
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
