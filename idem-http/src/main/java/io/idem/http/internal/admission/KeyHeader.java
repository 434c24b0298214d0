package io.idem.http.internal.admission;

import io.idem.http.KeyRules;
import io.idem.http.internal.admission.KeyReading.Absent;
import io.idem.http.internal.admission.KeyReading.Malformed;
import io.idem.http.internal.admission.KeyReading.Present;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses the key header. A key may be spelled in two ways:
 *
 * <ul>
 *   <li>quoted, {@code "8e03"}: a String of RFC 9651 section 3.3.3: characters 0x20 to 0x7e, {@code \"} and {@code \\} the only
 *       escapes, nothing after the closing quote; parameters are refused, because the field defines none;
 *   <li>bare, {@code 8e03}: one or more characters 0x21 to 0x7e without {@code "}, {@code \}, {@code ,} and {@code ;}, so
 *       that two keys which a proxy folded into one line are not taken for a third.
 * </ul>
 *
 * Keys that begin as those of events do are refused. Spaces and tabs around the value do not count. Several lines with the same key are one key; different keys are malformed.
 * A UUID is the same key in upper and in lower case.
 */
public final class KeyHeader {

    private static final String BARE_EXCLUDED = "\"\\,;";

    private KeyHeader() {}

    /** Parses all lines of the header, in the order in which they came. */
    public static KeyReading read(List<String> lines, KeyRules rules) {
        Map<String, Present> keys = new LinkedHashMap<>();
        for (String line : lines) {
            KeyReading reading = readLine(strip(line));
            if (!(reading instanceof Present present)) {
                return reading;
            }
            keys.putIfAbsent(present.key(), present);
        }
        return switch (keys.size()) {
            case 0 -> new Absent();
            case 1 -> checked(keys.values().iterator().next(), rules);
            default -> new Malformed("The header was sent with " + keys.size() + " different keys; send one.");
        };
    }

    private static KeyReading checked(Present present, KeyRules rules) {
        if (present.key().startsWith(BroughtKey.PREFIX)) {
            return new Malformed("Keys that begin with " + BroughtKey.PREFIX
                    + " are those of events that bring their key with them; send another key.");
        }
        return rules.objection(present.key()).<KeyReading>map(Malformed::new).orElse(present);
    }

    private static KeyReading readLine(String value) {
        if (value.isEmpty()) {
            return new Malformed("The key is empty; send 1 or more characters.");
        }
        return value.charAt(0) == '"' ? readQuoted(value) : readBare(value);
    }

    private static KeyReading readBare(String value) {
        return value.chars().allMatch(KeyHeader::bare)
                ? Present.of(value)
                : new Malformed("An unquoted key may hold visible ASCII characters except \" \\ , and ; only;"
                        + " send the key in double quotes, or another key.");
    }

    private static boolean bare(int c) {
        return c > ' ' && c < 0x7f && BARE_EXCLUDED.indexOf(c) < 0;
    }

    /** Parses a quoted key by the algorithm of RFC 9651 section 4.2.5; nothing may follow the closing quote. */
    private static KeyReading readQuoted(String value) {
        StringBuilder key = new StringBuilder(value.length());
        int at = 1;
        while (at < value.length() && value.charAt(at) != '"') {
            if (value.charAt(at) == '\\') {
                at++;
                if (at == value.length() || !escapable(value.charAt(at))) {
                    return new Malformed("In a quoted key a backslash may stand before \" and \\ only.");
                }
            } else if (value.charAt(at) < ' ' || value.charAt(at) > '~') {
                return new Malformed("A quoted key may hold the ASCII characters from space to ~ only.");
            }
            key.append(value.charAt(at++));
        }
        return closed(value, at, key.toString());
    }

    private static boolean escapable(char c) {
        return c == '"' || c == '\\';
    }

    private static KeyReading closed(String value, int closingQuote, String key) {
        if (closingQuote == value.length()) {
            return new Malformed("The quoted key has no closing quote.");
        }
        if (closingQuote != value.length() - 1) {
            return new Malformed(
                    "Something follows the closing quote of the key; send one quoted key and nothing else.");
        }
        return key.isBlank()
                ? new Malformed("The key is empty or consists of blanks; send 1 or more characters that can be seen.")
                : Present.of(key);
    }

    private static String strip(String line) {
        int start = 0;
        int end = line.length();
        while (start < end && blank(line.charAt(start))) {
            start++;
        }
        while (end > start && blank(line.charAt(end - 1))) {
            end--;
        }
        return line.substring(start, end);
    }

    private static boolean blank(char c) {
        return c == ' ' || c == '\t';
    }
}
