package io.idem.http.outcome;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code Prefer: wait=5} (RFC 7240, section 4.3). Other preferences and malformed values are ignored, as the RFC demands. */
public final class WaitPreference {

    /** The header of the request. */
    public static final String HEADER = "Prefer";

    /** The header of the answer that tells the preference that was applied. */
    public static final String APPLIED = "Preference-Applied";

    private static final String NAME = "wait";
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

    private WaitPreference() {}

    /** Returns the time that a client is ready to wait, by the lines of the header; of several values the first one counts. */
    public static Optional<Duration> in(List<String> lines) {
        return lines.stream()
                .flatMap(line -> split(line, ',').stream())
                .map(preference -> split(split(preference, ';').get(0), '='))
                .filter(parts -> parts.get(0).strip().equalsIgnoreCase(NAME))
                .findFirst()
                .filter(parts -> parts.size() == 2)
                .map(parts -> unquoted(parts.get(1).strip()))
                .filter(value -> SECONDS.matcher(value).matches())
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    /** Returns the value of {@link #APPLIED} for a wait, in whole seconds. */
    public static String applied(Duration wait) {
        return NAME + "=" + wait.toSeconds();
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1) : value;
    }

    /** Splits a text at separators outside of quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (quoted && character == '\\') {
                at++;
            } else if (character == '"') {
                quoted = !quoted;
            } else if (character == separator && !quoted) {
                parts.add(text.substring(start, at));
                start = at + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }
}
