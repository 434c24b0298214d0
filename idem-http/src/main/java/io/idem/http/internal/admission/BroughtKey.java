package io.idem.http.internal.admission;

import io.idem.Fingerprint;
import io.idem.InvalidKeyException;
import io.idem.internal.value.WellFormed;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text of a key that a request brings with it: {@value #PREFIX}, then the address and the parts that the route's source found, joined
 * by colons. A text that would be longer than keys of clients becomes a digest. The key header may not carry such a text: its sender could
 * take the key of an event that is still to come.
 */
final class BroughtKey {

    /** The beginning of every such key, and of no other. */
    static final String PREFIX = "event:/";

    /** The beginning of digests. No joined text begins so: no part is empty but the value of a variable, which /digest has not. */
    private static final String DIGEST = PREFIX + "digest::";

    private static final int LONGEST = 255;

    private BroughtKey() {}

    /**
     * Returns the text of a key.
     *
     * @param address pattern of the route and values of its variables
     * @param parts parts that the route's source found, none of them empty
     * @throws io.idem.InvalidKeyException if a part is not well-formed Unicode
     */
    static String of(List<String> address, List<String> parts) {
        List<String> all = new ArrayList<>(address);
        all.addAll(parts);
        String text = PREFIX
                + all.stream()
                        .map(BroughtKey::escaped)
                        .collect(Collectors.joining(":"))
                        .replaceFirst("^/", "");
        WellFormed.require("The key", text, InvalidKeyException::new);
        return text.length() <= LONGEST
                ? text
                : DIGEST
                        + Fingerprint.of(all.stream()
                                .map(part -> part.getBytes(StandardCharsets.UTF_8))
                                .toArray(byte[][]::new));
    }

    /** Escapes what would join parts or what a key may not have, so that different parts have different texts. */
    private static String escaped(String part) {
        StringBuilder text = new StringBuilder(part.length());
        part.chars().forEach(c -> {
            if (c == ':' || c == '%' || Character.isISOControl(c)) {
                text.append('%').append(String.format("%02X", c));
            } else {
                text.append((char) c);
            }
        });
        return text.toString();
    }
}
