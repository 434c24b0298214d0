package io.idem.http.internal.admission;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;

/** The fields of an {@code application/x-www-form-urlencoded} text, as a form's body or a query. For adapters. */
public final class FormFields {

    private FormFields() {}

    /** Returns the form without the fields of this name; all other bytes stay. */
    public static byte[] without(byte[] form, String name) {
        return without(new String(form, StandardCharsets.ISO_8859_1), name).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the form without the fields of this name; all other characters stay. */
    public static String without(String form, String name) {
        return Arrays.stream(form.split("&", -1))
                .filter(field -> !decoded(field.split("=", 2)[0]).equals(name))
                .collect(Collectors.joining("&"));
    }

    /** Returns the fields of this name, as they were sent. */
    static String only(String form, String name) {
        return Arrays.stream(form.split("&", -1))
                .filter(field -> decoded(field.split("=", 2)[0]).equals(name))
                .collect(Collectors.joining("&"));
    }

    private static String decoded(String name) {
        try {
            return URLDecoder.decode(name, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return name;
        }
    }
}
