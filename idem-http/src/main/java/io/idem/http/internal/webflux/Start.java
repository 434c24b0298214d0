package io.idem.http.internal.webflux;

import io.idem.RunningOperation;
import io.idem.http.StoredResponse;

/** What became of a request's key. */
sealed interface Start {

    /** It was taken. */
    record Granted(RunningOperation operation) implements Start {}

    /** It was not; the request is answered without being run. */
    record Answered(StoredResponse answer) implements Start {}
}
