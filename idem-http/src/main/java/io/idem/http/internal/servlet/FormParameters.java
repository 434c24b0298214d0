package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.util.StringUtils;

/** The parameters of a form whose bytes we have read, so that the container no longer can. */
final class FormParameters {

    /**
     * A field takes some hundred times the memory of its two bytes, and the container's own limit does not hold for what we take apart. As
     * many fields as Tomcat has long allowed; no form that people fill in has them.
     */
    static final int MOST_FIELDS = 10_000;

    private FormParameters() {}

    /**
     * Parameters of the query, then of the form.
     *
     * @throws TooManyFields if there are more than {@link #MOST_FIELDS}
     * @throws IllegalArgumentException if the form or its character encoding is malformed
     */
    static Map<String, String[]> merge(HttpServletRequest request, byte[] form) {
        Charset charset = request.getCharacterEncoding() == null
                ? StandardCharsets.UTF_8
                : Charset.forName(request.getCharacterEncoding());
        String fields = new String(form, charset);
        requireFew(fields);
        Map<String, List<String>> merged = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> merged.put(name, new ArrayList<>(Arrays.asList(values))));
        for (String pair : StringUtils.tokenizeToStringArray(fields, "&", false, true)) {
            add(merged, pair, charset);
        }
        Map<String, String[]> parameters = new LinkedHashMap<>();
        merged.forEach((name, values) -> parameters.put(name, values.toArray(String[]::new)));
        return parameters;
    }

    /** Before they are taken apart. */
    private static void requireFew(String fields) {
        if (fields.chars().filter(character -> character == '&').count() >= MOST_FIELDS) {
            throw new TooManyFields();
        }
    }

    private static void add(Map<String, List<String>> parameters, String pair, Charset charset) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters
                .computeIfAbsent(URLDecoder.decode(name, charset), unused -> new ArrayList<>())
                .add(URLDecoder.decode(value, charset));
    }

    /** A form is not taken apart, for what that would cost. */
    static final class TooManyFields extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private TooManyFields() {
            super("more than " + MOST_FIELDS + " fields");
        }
    }
}
