package io.idem.internal;

import io.idem.Claim;
import java.util.Locale;

/** The values of tags of meters and observations. */
public final class Tags {

    public static final String SCOPE = "scope";
    public static final String NONE = "none";

    private Tags() {}

    /** Returns the name of a constant in lower case, with hyphens between words. */
    public static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the tag of the answer to an acquire. */
    public static String of(Claim claim) {
        if (claim instanceof Claim.Granted granted) {
            return of(granted.kind());
        }
        if (claim instanceof Claim.Replay) {
            return "replay";
        }
        if (claim instanceof Claim.InProgress) {
            return "in-progress";
        }
        return ofRefusal(claim);
    }

    private static String ofRefusal(Claim claim) {
        if (claim instanceof Claim.NotYet) {
            return "not-yet";
        }
        if (claim instanceof Claim.Rejected) {
            return "rejected";
        }
        return claim instanceof Claim.Mismatch ? "mismatch" : "exhausted";
    }
}
