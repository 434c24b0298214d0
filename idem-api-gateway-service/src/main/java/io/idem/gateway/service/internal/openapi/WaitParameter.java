package io.idem.gateway.service.internal.openapi;

import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.Map;

/** The header with which a client waits for consumers, and the one that tells it how long it was to wait (RFC 7240). */
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

    /** The header of an answer that was waited for, by its name. */
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
