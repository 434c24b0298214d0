package io.idem.http.servlet;

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

    private FormParameters() {}

    /**
     * Parameters of the query, then of the form.
     *
     * @throws IllegalArgumentException if the form or its character encoding is malformed
     */
    static Map<String, String[]> merge(HttpServletRequest request, byte[] form) {
        Charset charset = request.getCharacterEncoding() == null
                ? StandardCharsets.UTF_8
                : Charset.forName(request.getCharacterEncoding());
        Map<String, List<String>> merged = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> merged.put(name, new ArrayList<>(Arrays.asList(values))));
        for (String pair : StringUtils.tokenizeToStringArray(new String(form, charset), "&", false, true)) {
            add(merged, pair, charset);
        }
        Map<String, String[]> parameters = new LinkedHashMap<>();
        merged.forEach((name, values) -> parameters.put(name, values.toArray(String[]::new)));
        return parameters;
    }

    private static void add(Map<String, List<String>> parameters, String pair, Charset charset) {
        int equals = pair.indexOf('=');
        String name = equals < 0 ? pair : pair.substring(0, equals);
        String value = equals < 0 ? "" : pair.substring(equals + 1);
        parameters
                .computeIfAbsent(URLDecoder.decode(name, charset), unused -> new ArrayList<>())
                .add(URLDecoder.decode(value, charset));
    }
}
