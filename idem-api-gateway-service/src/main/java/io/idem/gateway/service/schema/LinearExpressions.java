package io.idem.gateway.service.schema;

import com.google.re2j.Pattern;
import com.networknt.schema.regex.RegularExpression;
import com.networknt.schema.regex.RegularExpressionFactory;
import java.util.regex.Matcher;

/**
 * Regular expressions whose matching takes a time proportional to the text: RE2's, which know neither lookaround nor back references.
 * Java's own could be kept busy for hours by a short text.
 */
final class LinearExpressions implements RegularExpressionFactory {

    /** A character by its code unit, as ECMA-262 writes it; not what follows an escaped backslash. */
    private static final java.util.regex.Pattern UNICODE_ESCAPE =
            java.util.regex.Pattern.compile("(?<!\\\\)((?:\\\\\\\\)*)\\\\u([0-9A-Fa-f]{4})");

    @Override
    public RegularExpression getRegularExpression(String regex) {
        Matcher escapes = UNICODE_ESCAPE.matcher(regex);
        Pattern pattern = Pattern.compile(escapes.replaceAll("$1\\\\x{$2}"));
        return text -> pattern.matcher(text).find();
    }
}
