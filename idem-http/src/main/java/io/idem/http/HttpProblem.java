package io.idem.http;

/** The refusals of the idempotency filter; each is explained in {@code docs/http-problems.md}. */
public enum HttpProblem implements Problem {
    /** The route requires a key and none was sent. */
    KEY_MISSING(400, "The request carries no idempotency key", false),
    /** The header does not carry one well-formed key. */
    KEY_MALFORMED(400, "The idempotency key is malformed", false),
    /** The form or multipart body cannot be read. */
    BODY_UNREADABLE(400, "The request body is malformed", false),
    /** The signature of the request is missing, or is not that of its body, or is too old. */
    SIGNATURE_INVALID(401, "The signature of the request is not valid", false),
    /** The tenant of the request is not known. */
    TENANT_UNKNOWN(403, "It is not known whose idempotency key this is", true),
    /** The first request with this key is still running, or its retry is not due yet. */
    IN_PROGRESS(409, "A request with this idempotency key is in progress", true),
    /** As {@link #IN_PROGRESS}, with the same slug and type, on routes whose {@linkplain RouteOptions#inProgressStatus status} is 503. */
    IN_PROGRESS_AS_503(503, IN_PROGRESS.title(), true) {
        @Override
        public String slug() {
            return IN_PROGRESS.slug();
        }
    },
    /** A delivery of this event is still running; senders of events take 4xx for final. */
    DELIVERY_IN_PROGRESS(503, "A delivery of this event is in progress", true),
    /** The operation failed for good before. */
    REJECTED(409, "The operation of this idempotency key has failed for good", false),
    /** The operation has used up its attempts. */
    ATTEMPTS_EXHAUSTED(409, "The operation of this idempotency key has used up its attempts", false),
    /**
     * The work was done and there is no answer to give: the answer was not kept, was erased since, or the record was completed by an
     * operator or a reconciler that had none.
     */
    ANSWER_NOT_KEPT(409, "The answer of this idempotency key is not kept", false),
    /** The body is larger than the bodies that can be compared with those of retries. */
    BODY_TOO_LARGE(413, "The request body is too large", false),
    /** The body has a content coding, and the route takes it without one. */
    CONTENT_CODING_UNSUPPORTED(415, "The request body must have no content coding", false),
    /** The key was used for a different request before. */
    KEY_REUSED(422, "The idempotency key was used for a different request", false),
    /** The store does not answer; the request was not run. */
    STORE_UNAVAILABLE(503, "Idempotency cannot be guaranteed at the moment", true),
    /** The store holds something else in the place of the record; the request was not run. */
    RECORD_UNREADABLE(503, "The record of this idempotency key cannot be read", true),
    /** The request took effect, but its outcome could not be recorded. */
    OUTCOME_UNRECORDED(503, "The outcome of the request could not be recorded", true);

    private final int status;
    private final String title;
    private final boolean retryWithSameKey;

    HttpProblem(int status, String title, boolean retryWithSameKey) {
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
