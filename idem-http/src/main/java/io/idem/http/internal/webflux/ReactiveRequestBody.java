package io.idem.http.internal.webflux;

import io.idem.http.Refusal;
import io.idem.http.internal.admission.ReceivedBody;
import java.util.Optional;
import org.springframework.util.MultiValueMap;

/** A request's body, read before the key is taken. */
sealed interface ReactiveRequestBody {

    /** It cannot be used. */
    record Refused(Refusal refusal) implements ReactiveRequestBody {}

    /**
     * It was read.
     *
     * @param form what a filter before us made of it, if there is nothing else left
     */
    record Read(ReceivedBody body, Optional<MultiValueMap<String, String>> form) implements ReactiveRequestBody {

        static Read of(ReceivedBody body) {
            return new Read(body, Optional.empty());
        }
    }
}
