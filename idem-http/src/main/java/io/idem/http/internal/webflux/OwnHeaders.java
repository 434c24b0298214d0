package io.idem.http.internal.webflux;

import io.idem.http.Header;
import io.idem.http.HeaderPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.springframework.http.HttpHeaders;

/** A response's headers as its handler sees and changes them, beside those that the response underneath has. */
final class OwnHeaders {

    private final Predicate<String> filters;
    private final HttpHeaders before;
    private final HttpHeaders current;

    /**
     * Headers beside those underneath.
     *
     * @param filters names that are the filter's alone: what the handler sets there is neither sent nor stored
     */
    OwnHeaders(HttpHeaders underneath, Predicate<String> filters) {
        this.filters = filters;
        this.before = HttpHeaders.copyOf(underneath);
        this.current = HttpHeaders.copyOf(underneath);
    }

    HttpHeaders current() {
        return current;
    }

    /** What the handler set, as far as it is to be stored: what the filters around set, they set again on a replay. */
    List<Header> stored(HeaderPolicy policy) {
        List<Header> headers = new ArrayList<>();
        for (String name : changed()) {
            if (policy.stores(name)) {
                current.getOrEmpty(name).forEach(value -> headers.add(new Header(name, value)));
            }
        }
        return headers;
    }

    /** Makes the handler's changes to the response underneath. */
    void applyTo(HttpHeaders underneath) {
        for (String name : changed()) {
            if (current.containsHeader(name)) {
                underneath.put(name, current.getOrEmpty(name));
            } else {
                underneath.remove(name);
            }
        }
    }

    /** How the body is transferred is the server's business, even where a handler copies it from another one. */
    private List<String> changed() {
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(current.headerNames());
        names.addAll(before.headerNames());
        names.remove(HttpHeaders.TRANSFER_ENCODING);
        names.removeIf(filters);
        names.removeIf(name -> current.getOrEmpty(name).equals(before.getOrEmpty(name)));
        return List.copyOf(names);
    }
}
