package io.idem.http.internal.admission;

import io.idem.http.HttpProblem;
import io.idem.http.Refusal;

/** The refusals of requests because of their bodies. For adapters. */
public final class BodyRefusals {

    private BodyRefusals() {}

    /** Returns the refusal of a body that is larger than the route's limit, in bytes. */
    public static RequestRefusedException tooLarge(int limit) {
        return refused(
                HttpProblem.BODY_TOO_LARGE, "The body is larger than the " + limit + " bytes that this route accepts.");
    }

    /** Returns the refusal of a multipart body that exceeds a limit of the server. */
    public static RequestRefusedException overServerLimit() {
        return refused(
                HttpProblem.BODY_TOO_LARGE,
                "The multipart body exceeds a limit of the server: the size of a part, of its headers or of all parts, or their"
                        + " number.");
    }

    /** Returns the refusal of a multipart body of more parts than are parsed. */
    public static RequestRefusedException tooManyParts(int most) {
        return unreadable("The multipart body has more than " + most + " parts.");
    }

    /** Returns the refusal of a body that is not the form that its content type announces. */
    public static RequestRefusedException malformedForm() {
        return unreadable("The form is not well-formed; send application/x-www-form-urlencoded.");
    }

    /** Returns the refusal of a body of which another filter has left nothing, on a route that takes it as it was sent. */
    public static RequestRefusedException takenApart() {
        return unreadable(
                "The body was taken apart before this route could take it as it was sent; send it with another"
                        + " Content-Type than that of a form, such as application/json.");
    }

    /** Returns the refusal of a body whose content type is a range of types. */
    public static RequestRefusedException ofManyTypes() {
        return unreadable("The Content-Type has a wildcard; name the one type of the body.");
    }

    /** Returns the refusal of a body that is not what its content type announces. */
    public static RequestRefusedException unreadable(String detail) {
        return refused(HttpProblem.BODY_UNREADABLE, detail);
    }

    private static RequestRefusedException refused(HttpProblem problem, String detail) {
        return new RequestRefusedException(Refusal.of(problem, detail));
    }
}
