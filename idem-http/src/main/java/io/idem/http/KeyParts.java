package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The headers and the places of a JSON body that make up a key. A part that begins with a slash is a JSON pointer, every other one the name
 * of a header. Immutable.
 *
 * @param alternatives lists of parts; the first list of which the request has every part makes the key
 * @param requiresSignature whether the sender must be verified
 */
record KeyParts(List<List<String>> alternatives, boolean requiresSignature) implements KeySource {

    /** The syntax of header names, RFC 9110 section 5.6.2. */
    private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    /** The syntax of pointers to a part of a document, RFC 6901 section 3. */
    private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)+");

    /** A step of a pointer that takes an element of a list, RFC 6901 section 4. */
    private static final Pattern ELEMENT = Pattern.compile("^/(.*/)?(0|[1-9][0-9]*)(/|$)");

    static KeyParts header(String name) {
        require(HEADER.matcher(name).matches(), "key.header \"" + name + "\" is not the name of a header");
        return new KeyParts(List.of(List.of(name)), false);
    }

    static KeyParts pointers(List<String> pointers) {
        require(!pointers.isEmpty(), "key.pointers is empty; name at least one JSON pointer");
        for (String pointer : pointers) {
            require(
                    POINTER.matcher(pointer).matches(),
                    "key.pointers \"" + pointer
                            + "\" is no JSON pointer; begin it with / and write ~ as ~0, for example /event/id");
        }
        return new KeyParts(List.of(List.copyOf(pointers)), true);
    }

    /** Returns the parts of a preset, of which the sender must be verified. */
    static KeyParts anyOf(List<List<String>> alternatives) {
        return new KeyParts(alternatives, true);
    }

    @Override
    public Optional<List<String>> read(IncomingRequest request, byte[] body) {
        Values values = new Values(request, readsBody() ? JsonBody.of(body) : JsonBody.NONE);
        return alternatives.stream()
                .flatMap(parts -> values.all(parts).stream())
                .findFirst();
    }

    private boolean readsBody() {
        return alternatives.stream().flatMap(List::stream).anyMatch(KeyParts::isPointer);
    }

    @Override
    public String place() {
        return (readsBody() ? "the JSON body, at " : "the headers ")
                + alternatives.stream()
                        .map(parts -> String.join(" and ", parts))
                        .collect(Collectors.joining(", or "));
    }

    /** Returns a pointer that takes an element of a list; empty if there is none. */
    Optional<String> elementOfList() {
        return alternatives.stream()
                .flatMap(List::stream)
                .filter(part -> ELEMENT.matcher(part).find())
                .findFirst();
    }

    private static boolean isPointer(String part) {
        return part.startsWith("/");
    }

    /** The values of a request. */
    private record Values(IncomingRequest request, JsonBody json) {

        Optional<List<String>> all(List<String> parts) {
            List<String> found = new ArrayList<>();
            for (String part : parts) {
                value(part).ifPresent(found::add);
            }
            return found.size() == parts.size() ? Optional.of(found) : Optional.empty();
        }

        private Optional<String> value(String part) {
            return isPointer(part) ? json.at(part) : header(request, part);
        }
    }

    /** Returns the value of a header that was sent with one value, without the blanks around it. */
    static Optional<String> header(IncomingRequest request, String name) {
        Set<String> sent = new LinkedHashSet<>();
        request.header(name).forEach(line -> sent.add(line.strip()));
        return sent.size() == 1
                ? sent.stream().filter(value -> !value.isEmpty()).findFirst()
                : Optional.empty();
    }
}
