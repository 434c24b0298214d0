package io.idem.http.internal.webflux;

import io.idem.RunningOperation;
import io.idem.http.StoredResponse;

/** The result of a request's admission, after its key is asked for. */
sealed interface ReactiveAdmission {

    /** A request whose key was taken. */
    record Granted(RunningOperation operation) implements ReactiveAdmission {}

    /** A request that is answered without being run. */
    record Answered(StoredResponse answer) implements ReactiveAdmission {}
}
