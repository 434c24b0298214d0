package io.idem.http.internal.servlet;

import io.idem.Operation;
import io.idem.http.Refusal;
import jakarta.servlet.http.HttpServletRequest;

/** What became of a request before its key was taken. */
sealed interface Entry {

    /** It has no key and needs none. */
    record Unprotected() implements Entry {}

    /** It is not run. */
    record Refused(Refusal refusal) implements Entry {}

    /** Its key may be taken; {@code request} serves the body that was read to the handler. */
    record Admitted(Operation operation, HttpServletRequest request) implements Entry {}
}
