package io.idem.gateway.service.internal.openapi;

import io.idem.http.KeyRules;
import io.idem.http.RouteOptions;
import java.util.Map;

/** The header that carries the key. */
final class KeyParameter {

    /** The syntax of a bare key, or of a string of RFC 9651. */
    private static final String ANY = "^([!#-+\\-.-:<-\\[\\]-~]+|\"([ !#-\\[\\]-~]|\\\\[\"\\\\])+\")$";

    private static final String UUID = "[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}";
    private static final String UUID_QUOTED_OR_NOT = "^(" + UUID + "|\"" + UUID + "\")$";

    private KeyParameter() {}

    static Map<String, Object> of(String header, RouteOptions options) {
        return Json.object(
                "name",
                header,
                "in",
                "header",
                "required",
                options.required(),
                "description",
                text(options),
                "schema",
                schema(options.keyRules()));
    }

    private static String text(RouteOptions options) {
        String missing = options.required()
                ? ""
                : " Without it, the operation gets a key of its own, which the answer names in this header.";
        return "Names the operation: every retry carries the same value. "
                + options.keyRules().minLength() + " to " + options.keyRules().maxLength()
                + " characters, bare or as a quoted string." + missing;
    }

    private static Map<String, Object> schema(KeyRules rules) {
        boolean uuid = rules.format() == KeyRules.Format.UUID;
        return Json.object(
                "type",
                "string",
                "minLength",
                rules.minLength(),
                "maxLength",
                rules.maxLength(),
                "pattern",
                uuid ? UUID_QUOTED_OR_NOT : ANY);
    }
}
