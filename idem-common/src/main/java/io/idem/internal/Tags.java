package io.idem.internal;

import io.idem.Claim;
import java.util.Locale;
import java.util.regex.Pattern;

/** The values of tags of meters and observations. */
public final class Tags {

    public static final String SCOPE = "scope";
    public static final String NONE = "none";

    private static final Pattern WORD_AFTER_WORD = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    private Tags() {}

    /** Returns the name of a constant in lower case, with hyphens between words. */
    public static String of(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the tag of the answer to an acquire: the kind of a grant, or the kind of the answer. */
    public static String of(Claim claim) {
        return claim instanceof Claim.Granted granted
                ? of(granted.kind())
                : WORD_AFTER_WORD
                        .matcher(claim.getClass().getSimpleName())
                        .replaceAll("-")
                        .toLowerCase(Locale.ROOT);
    }
}
