package io.idem.http.webflux;

import io.idem.http.ReceivedBody;
import io.idem.http.Refusal;

/** A request's body, read before the key is taken. */
sealed interface RequestBody {

    /** It cannot be used. */
    record Refused(Refusal refusal) implements RequestBody {}

    /** It was read. */
    record Read(ReceivedBody body) implements RequestBody {}
}
