package io.idem.gateway.service.internal.openapi;

import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.Map;

/** The header by which a client waits for consumers, and the header of the answer with the applied wait (RFC 7240). */
final class WaitParameter {

    private WaitParameter() {}

    static Map<String, Object> of(Duration longest) {
        return Json.object(
                "name",
                WaitPreference.HEADER,
                "in",
                "header",
                "required",
                false,
                "description",
                "`wait=5` waits up to five seconds for the consumers' outcome; at most " + longest.toSeconds()
                        + " s are granted.",
                "schema",
                Json.object("type", "string"));
    }

    /** Returns the header of an answer after a wait, by its name. */
    static Map<String, Object> applied() {
        return Json.object(
                WaitPreference.APPLIED,
                Json.object(
                        "description",
                        "`wait=` and the seconds that were granted, if the client waited.",
                        "schema",
                        Json.object("type", "string")));
    }
}
