package io.idem.http.internal.webflux;

import io.idem.http.internal.admission.ReceivedBody;
import java.util.Optional;
import org.springframework.util.MultiValueMap;

/**
 * A body that was read before its request's key is taken.
 *
 * @param body content of the body
 * @param form fields of a form that another filter has read, if its bytes are gone
 */
record ReactiveRequestBody(ReceivedBody body, Optional<MultiValueMap<String, String>> form) {

    static ReactiveRequestBody of(ReceivedBody body) {
        return new ReactiveRequestBody(body, Optional.empty());
    }
}
