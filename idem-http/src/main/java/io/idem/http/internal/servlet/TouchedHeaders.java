package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.HeaderPolicy;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.http.HttpHeaders;

/**
 * The names of the headers that the handler set. Only these are stored; other filters set theirs again on a replay.
 */
final class TouchedHeaders {

    private final ConcurrentSkipListMap<String, String> names = new ConcurrentSkipListMap<>();

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

    /** Returns the other headers of a response, which stay if another answer is given. */
    List<Header> others(HttpServletResponse response) {
        return response.getHeaderNames().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .distinct()
                .filter(name -> !names.containsKey(name) && !name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE))
                .flatMap(name -> response.getHeaders(name).stream().map(value -> new Header(name, value)))
                .toList();
    }
}
