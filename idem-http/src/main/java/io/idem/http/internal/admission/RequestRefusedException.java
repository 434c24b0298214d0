package io.idem.http.internal.admission;

import io.idem.http.Refusal;

/** Ends the admission of a request that is not run. It is answered by the filter that admits requests, and no application sees it. */
public final class RequestRefusedException extends RuntimeException {

    private final transient Refusal refusal;

    RequestRefusedException(Refusal refusal) {
        super(refusal.detail(), null, false, false);
        this.refusal = refusal;
    }

    /** Returns the refusal with which the request is answered. */
    public Refusal refusal() {
        return refusal;
    }
}
