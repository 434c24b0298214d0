package io.idem.http.internal.admission;

import io.idem.http.HttpProblem;
import io.idem.http.Refusal;

/** Why a request's body is refused. For adapters. */
public final class BodyRefusals {

    private BodyRefusals() {}

    /** It is larger than the route's limit, in bytes. */
    public static Refusal tooLarge(int limit) {
        return Refusal.of(
                HttpProblem.BODY_TOO_LARGE, "The body is larger than the " + limit + " bytes that this route accepts.");
    }

    /** The refusal of a multipart body that the server does not take apart. */
    public static Refusal overServerLimit() {
        return Refusal.of(
                HttpProblem.BODY_TOO_LARGE,
                "The multipart body exceeds a limit of the server: the size of a part, of its headers or of all parts, or their"
                        + " number.");
    }

    /** The refusal of a multipart body of more parts than are taken apart. */
    public static Refusal tooManyParts(int most) {
        return unreadable("The multipart body has more than " + most + " parts.");
    }

    /** It is a form by its content type only. */
    public static Refusal malformedForm() {
        return unreadable("The form is not well-formed; send application/x-www-form-urlencoded.");
    }

    /** Its content type is a range: nobody can say what it is. */
    public static Refusal ofManyTypes() {
        return unreadable("The Content-Type has a wildcard; name the one type of the body.");
    }

    /** It is not what its content type says. */
    public static Refusal unreadable(String detail) {
        return Refusal.of(HttpProblem.BODY_UNREADABLE, detail);
    }
}
