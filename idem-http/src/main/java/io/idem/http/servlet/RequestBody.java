package io.idem.http.servlet;

import io.idem.http.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;

/** A request's body, read before the key is taken. */
sealed interface RequestBody {

    /** It cannot be used. */
    record Refused(Refusal refusal) implements RequestBody {}

    /** It was read and can be read again by the handler. */
    final class Read implements RequestBody {

        private final HttpServletRequest request;
        private final byte[] received;
        private final List<byte[]> fingerprinted;

        /**
         * A body.
         *
         * @param request serves it to the handler
         * @param received the bytes; empty if the container took the body apart
         * @param fingerprinted what stands for it in the fingerprint
         */
        Read(HttpServletRequest request, byte[] received, List<byte[]> fingerprinted) {
            this.request = request;
            this.received = received;
            this.fingerprinted = fingerprinted;
        }

        HttpServletRequest request() {
            return request;
        }

        byte[] received() {
            return received;
        }

        List<byte[]> fingerprinted() {
            return fingerprinted;
        }
    }
}
