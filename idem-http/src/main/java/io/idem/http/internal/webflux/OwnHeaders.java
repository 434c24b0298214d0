package io.idem.http.internal.webflux;

import io.idem.http.Header;
import io.idem.http.HeaderPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.springframework.http.HttpHeaders;

/** The headers of a response as its handler sees and changes them, kept apart from those of the wrapped response. */
final class OwnHeaders {

    private final Predicate<String> reserved;
    private final HttpHeaders before;
    private final HttpHeaders current;

    /**
     * Creates a copy of the headers of the wrapped response.
     *
     * @param reserved names that only the filter may set: values that the handler sets are neither sent nor stored
     */
    OwnHeaders(HttpHeaders underneath, Predicate<String> reserved) {
        this.reserved = reserved;
        this.before = HttpHeaders.copyOf(underneath);
        this.current = HttpHeaders.copyOf(underneath);
    }

    HttpHeaders current() {
        return current;
    }

    /** Returns the headers that the handler set and the policy stores; other filters set theirs again on a replay. */
    List<Header> stored(HeaderPolicy policy) {
        List<Header> headers = new ArrayList<>();
        for (String name : changed()) {
            if (policy.stores(name)) {
                current.getOrEmpty(name).forEach(value -> headers.add(new Header(name, value)));
            }
        }
        return headers;
    }

    /** Applies the handler's changes to the headers of the wrapped response. */
    void applyTo(HttpHeaders underneath) {
        for (String name : changed()) {
            if (current.containsHeader(name)) {
                underneath.put(name, current.getOrEmpty(name));
            } else {
                underneath.remove(name);
            }
        }
    }

    /** Returns the names of the headers that the handler changed, without the transfer encoding, which only the server decides. */
    private List<String> changed() {
        TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(current.headerNames());
        names.addAll(before.headerNames());
        names.remove(HttpHeaders.TRANSFER_ENCODING);
        names.removeIf(reserved);
        names.removeIf(name -> current.getOrEmpty(name).equals(before.getOrEmpty(name)));
        return List.copyOf(names);
    }
}
