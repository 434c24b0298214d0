package io.idem.internal.value;

import java.util.Locale;

/** The text form of UUIDs. Pure functions. */
public final class Uuids {

    /** The regular expression of a UUID of any version in its 36 characters. */
    public static final String TEXT = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";

    private Uuids() {}

    /** Returns a UUID in lower case, every other text unchanged. */
    public static String canonical(String text) {
        return text.matches(TEXT) ? text.toLowerCase(Locale.ROOT) : text;
    }
}
