package io.idem.http.internal.webflux;

import io.idem.http.Refusal;
import io.idem.http.internal.admission.ReceivedBody;
import java.util.Optional;
import org.springframework.util.MultiValueMap;

/** The result of reading a request's body before its key is taken. */
sealed interface ReactiveRequestBody {

    /** A body because of which the request is refused. */
    record Refused(Refusal refusal) implements ReactiveRequestBody {}

    /**
     * A body that was read.
     *
     * @param body content of the body
     * @param form fields of a form that another filter has read, if its bytes are gone
     */
    record Read(ReceivedBody body, Optional<MultiValueMap<String, String>> form) implements ReactiveRequestBody {

        static Read of(ReceivedBody body) {
            return new Read(body, Optional.empty());
        }
    }
}
