package io.idem.http.internal.servlet;

import io.idem.Fingerprint;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.BodyRefusals;
import io.idem.http.internal.admission.FormFields;
import io.idem.http.internal.admission.ReceivedBody;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * Reads bodies up to a limit, so that the handler can read them again. Multipart forms are parsed by the container, which lets every part
 * be read again; other multipart bodies stay as they were received. A form that another filter has read is reconstructed from its parameters.
 *
 * @param multipart whether the container is configured to parse multipart bodies
 */
record ServletRequestBodyReader(boolean multipart) {

    /** A content type with a wildcard, for which converters of Spring MVC throw an exception that would be answered with 500. */
    private static final Pattern WILDCARD = Pattern.compile("[^;]*\\*");

    /** The bytes around the boundary in a body without parts: four dashes and two line ends. */
    private static final int AROUND_BOUNDARY = 8;

    /** The headers of a part that count by themselves, or say how its bytes are written. */
    private static final Pattern NOT_APART = Pattern.compile("content-(disposition|type|length|transfer-encoding)");

    private static final Pattern FORM = Pattern.compile("application/x-www-form-urlencoded\\s*(;.*)?");

    private static final Pattern FIELD = Pattern.compile("[^&]+");

    private static final Pattern READS_AS_NONE = Pattern.compile("null\0*");

    /**
     * Reads the body of a request.
     *
     * @throws IOException if the client went away
     * @throws RequestRefusedException if the body is too large or unreadable
     */
    ServletRequestBody read(HttpServletRequest request, RouteOptions options) throws IOException {
        int limit = options.maxRequestBody();
        if (request.getContentLengthLong() > limit) {
            throw BodyRefusals.tooLarge(limit);
        }
        if (WILDCARD.matcher(contentType(request)).lookingAt()) {
            throw BodyRefusals.ofManyTypes();
        }
        String type = contentType(request).split(";", 2)[0].strip();
        if (!type.startsWith("multipart/")) {
            return readBytes(request, options);
        }
        return multipart && type.equals("multipart/form-data") && !options.bodyAsSent()
                ? readMultipart(request, options)
                : readUnparsed(request, options);
    }

    /** Reads a multipart body that is no form, or whose target takes no parts. */
    private static ServletRequestBody readUnparsed(HttpServletRequest request, RouteOptions options)
            throws IOException {
        byte[] bytes = readAll(request, options);
        return new ServletRequestBody(new UnparsedMultipart(request, bytes), ReceivedBody.of(bytes));
    }

    private static byte[] readAll(HttpServletRequest request, RouteOptions options) throws IOException {
        int limit = options.maxRequestBody();
        boolean mayBeGone = TakenBodies.mayBeGone(request);
        byte[] bytes = request.getInputStream().readNBytes(limit + 1);
        if (bytes.length > limit) {
            throw BodyRefusals.tooLarge(limit);
        }
        if (bytes.length == 0 && mayBeGone && options.bodyAsSent()) {
            throw BodyRefusals.takenApart();
        }
        request.setAttribute(ReceivedBody.LENGTH, bytes.length);
        if (bytes.length == 0 && !FORM.matcher(contentType(request)).matches()) {
            requireNone(request, mayBeGone);
        }
        return bytes;
    }

    /** Requires that no body was sent: one that is gone must not count as none. */
    private static void requireNone(HttpServletRequest request, boolean mayBeGone) {
        if (mayBeGone) {
            throw new IllegalStateException(request.getMethod() + " " + request.getRequestURI()
                    + " is protected, and a filter, or the handler that forwards to it, has read its body before idem;"
                    + " protect the path that was sent, or leave the body to the protected handler");
        }
    }

    private static ServletRequestBody readBytes(HttpServletRequest request, RouteOptions options) throws IOException {
        boolean mayBeGone = TakenBodies.mayBeGone(request);
        byte[] bytes = readAll(request, options);
        if (!FORM.matcher(contentType(request)).matches()) {
            return new ServletRequestBody(new BufferedServletRequest(request, bytes), ReceivedBody.of(bytes));
        }
        return bytes.length == 0 ? formReadBefore(request, mayBeGone) : form(request, bytes);
    }

    private static ServletRequestBody form(HttpServletRequest request, byte[] bytes) {
        try {
            HttpServletRequest buffered = new BufferedFormRequest(request, bytes);
            byte[] counting = ServletCsrfParameter.of(request)
                    .map(token -> FormFields.without(bytes, token))
                    .orElse(bytes);
            return new ServletRequestBody(buffered, ReceivedBody.of(bytes, List.of(counting)));
        } catch (BufferedFormRequest.TooManyFields tooMany) {
            throw BodyRefusals.unreadable("The form has " + tooMany.getMessage() + ".");
        } catch (IllegalArgumentException malformed) {
            throw BodyRefusals.malformedForm();
        }
    }

    private static ServletRequestBody formReadBefore(HttpServletRequest request, boolean mayBeGone) {
        Map<String, List<String>> form = new HashMap<>();
        try {
            request.getParameterMap().forEach((name, values) -> form.put(name, Arrays.asList(values)));
        } catch (IllegalStateException malformed) {
            throw BodyRefusals.unreadable("The form is not well-formed or has too many fields.");
        }
        String queries = IncomingServletRequest.of(request).comparable().query();
        if (form.values().stream().mapToInt(List::size).sum()
                <= FIELD.matcher(queries).results().count()) {
            requireNone(request, mayBeGone);
        }
        ServletCsrfParameter.of(request).ifPresent(form::remove);
        return new ServletRequestBody(new HttpServletRequestWrapper(request), ReceivedBody.ofForm(form));
    }

    private static ServletRequestBody readMultipart(HttpServletRequest request, RouteOptions options)
            throws IOException {
        int limit = options.maxRequestBody();
        Collection<Part> parts;
        try {
            parts = request.getParts();
        } catch (IllegalStateException notParsed) {
            return readUntouched(request, options, notParsed);
        } catch (ServletException | IOException malformed) {
            throw BodyRefusals.unreadable("The multipart body is not well-formed.");
        }
        long length = request.getContentLengthLong();
        if (parts.isEmpty() && (length < 0 || length > boundary(request).length() + AROUND_BOUNDARY)) {
            throw BodyRefusals.unreadable(
                    "The multipart body has no part with a name; name the parts, or send multipart/mixed.");
        }
        if (parts.stream().mapToLong(Part::getSize).sum() > limit) {
            throw BodyRefusals.tooLarge(limit);
        }
        return new ServletRequestBody(
                new HttpServletRequestWrapper(request) {
                    @Override
                    public ServletInputStream getInputStream() throws IOException {
                        if (resolvesLazily(request)) {
                            throw new IllegalStateException(
                                    "idem has taken the multipart body apart, and a handler reads"
                                            + " its bytes; let the handler take the parts, or protect no multipart requests here");
                        }
                        return super.getInputStream();
                    }
                },
                ReceivedBody.takenApart(digests(parts, ServletCsrfParameter.of(request))));
    }

    /** Returns whether handlers get the bytes of multipart bodies without idem; else they are taken apart before in any case. */
    private static boolean resolvesLazily(HttpServletRequest request) {
        return Optional.ofNullable(WebApplicationContextUtils.getWebApplicationContext(request.getServletContext()))
                .map(context ->
                        context.getEnvironment().getProperty("spring.servlet.multipart.resolve-lazily", Boolean.class))
                .orElse(false);
    }

    /** Reads a body that the container has not parsed because the servlet takes no parts; refuses one that is over a limit. */
    private static ServletRequestBody readUntouched(
            HttpServletRequest request, RouteOptions options, IllegalStateException notParsed) throws IOException {
        long length = request.getContentLengthLong();
        if (notParsed.getClass() == IllegalStateException.class && notParsed.getCause() == null) {
            ServletRequestBody read = readUnparsed(request, options);
            byte[] bytes = read.body().bytes();
            String text = new String(bytes, StandardCharsets.ISO_8859_1);
            if (bytes.length == length || (length < 0 && text.startsWith("--" + boundary(request)))) {
                return read;
            }
        }
        throw BodyRefusals.overServerLimit();
    }

    private static List<byte[]> digests(Collection<Part> parts, Optional<String> token) throws IOException {
        List<byte[]> digests = new ArrayList<>();
        for (Part part : parts) {
            if (token.filter(part.getName()::equals).isPresent()) {
                continue;
            }
            digests.add(bytes(part.getName()));
            digests.add(bytesOrNone(part.getSubmittedFileName()));
            digests.add(bytesOrNone(part.getContentType()));
            try (InputStream content = part.getInputStream()) {
                digests.add(Fingerprint.of(content.readAllBytes()).toBytes());
            }
            part.getHeaderNames().stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .filter(name -> !NOT_APART.matcher(name).matches())
                    .sorted()
                    .forEach(name -> digests.add(bytes(name + part.getHeaders(name))));
        }
        return digests;
    }

    private static String boundary(HttpServletRequest request) {
        return request.getContentType().replaceFirst("(?i).*?[;\\s]boundary\\s*=\\s*\"?([^\";]*).*", "$1");
    }

    private static String contentType(HttpServletRequest request) {
        return request.getContentType() == null
                ? ""
                : request.getContentType().strip().toLowerCase(Locale.ROOT);
    }

    /** Returns the bytes of a text. The bytes of "null" mean none, as in records of earlier versions; a text that reads so is marked. */
    private static byte[] bytesOrNone(@Nullable String text) {
        if (text == null) {
            return bytes("null");
        }
        return READS_AS_NONE.matcher(text).matches() ? bytes(text + '\0') : bytes(text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
