package io.idem.http.internal.servlet;

import jakarta.servlet.http.HttpServletRequest;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** A form whose body was read before its handler asked for it, and whose parameters the container can therefore no longer parse. */
final class BufferedFormRequest extends BufferedServletRequest {

    /**
     * The largest number of fields: a field of two bytes takes some hundred times the memory, and the container's own limit does not hold
     * for forms that are parsed here. Tomcat has long allowed as many; no form that people fill in has them.
     */
    private static final int MOST_FIELDS = 10_000;

    private final Map<String, String[]> parameters;

    /**
     * Creates the request and parses its form.
     *
     * @throws TooManyFields if there are more than {@value #MOST_FIELDS}
     * @throws IllegalArgumentException if the form or its character encoding is malformed
     */
    BufferedFormRequest(HttpServletRequest request, byte[] form) {
        super(request, form);
        this.parameters = merge(request, form);
    }

    /** Returns the parameters of the query, then those of the form. */
    private static Map<String, String[]> merge(HttpServletRequest request, byte[] form) {
        Charset charset = request.getCharacterEncoding() == null
                ? StandardCharsets.UTF_8
                : Charset.forName(request.getCharacterEncoding());
        String fields = new String(form, StandardCharsets.ISO_8859_1);
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
                .computeIfAbsent(decoded(name, charset), unused -> new ArrayList<>())
                .add(decoded(value, charset));
    }

    /** Decodes a text whose characters are the bytes of the form; bytes that are no text are malformed, as for containers. */
    private static String decoded(String bytes, Charset charset) {
        byte[] text = URLDecoder.decode(bytes, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
        try {
            return charset.newDecoder().decode(ByteBuffer.wrap(text)).toString();
        } catch (CharacterCodingException malformed) {
            throw new IllegalArgumentException(malformed);
        }
    }

    @Override
    public @Nullable String getParameter(String name) {
        String[] values = getParameterValues(name);
        return values == null ? null : values[0];
    }

    /** Returns the values of a parameter. The request below may be that of Spring Security's firewall, which judges the name. */
    @Override
    public String @Nullable [] getParameterValues(String name) {
        var unused = super.getParameterValues(name);
        String[] values = parameters.get(name);
        return values == null ? null : values.clone();
    }

    @Override
    public Map<String, String[]> getParameterMap() {
        parameters.keySet().forEach(super::getParameter);
        return Collections.unmodifiableMap(parameters);
    }

    @Override
    public Enumeration<String> getParameterNames() {
        return Collections.enumeration(getParameterMap().keySet());
    }

    /** Thrown for a form of so many fields that parsing it would cost too much memory. */
    static final class TooManyFields extends IllegalArgumentException {

        private static final long serialVersionUID = 1;

        private TooManyFields() {
            super("more than " + MOST_FIELDS + " fields");
        }
    }
}
