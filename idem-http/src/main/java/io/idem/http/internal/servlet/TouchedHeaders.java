package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.HeaderPolicy;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.http.HttpHeaders;

/**
 * The names of the headers that the handler set. Only these are stored; other filters set theirs again on a replay.
 */
final class TouchedHeaders {

    /** The headers of the transfer, which belong to the body as it is sent. */
    private static final Set<String> OF_TRANSFER = Set.of("content-length", "transfer-encoding");

    private final ConcurrentSkipListMap<String, String> names = new ConcurrentSkipListMap<>();

    static boolean ofTransfer(String name) {
        return OF_TRANSFER.contains(name.toLowerCase(Locale.ROOT));
    }

    void touch(String name) {
        names.putIfAbsent(name.toLowerCase(Locale.ROOT), name);
    }

    void clear() {
        names.clear();
    }

    /** Returns the headers of these names that the policy stores; the content type comes first. */
    List<Header> stored(HttpServletResponse response, HeaderPolicy policy) {
        List<Header> headers = new ArrayList<>();
        if (response.getContentType() != null) {
            headers.add(new Header(HttpHeaders.CONTENT_TYPE, response.getContentType()));
        }
        names.values().stream()
                .filter(name -> !name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE) && policy.stores(name))
                .forEach(name -> response.getHeaders(name).forEach(value -> headers.add(new Header(name, value))));
        return headers;
    }

    /** Removes these headers from a response, so that another answer can be given. */
    void removeFrom(HttpServletResponse response) {
        names.values().forEach(name -> response.setHeader(name, null));
        names.clear();
    }
}
