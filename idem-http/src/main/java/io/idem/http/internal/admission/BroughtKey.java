package io.idem.http.internal.admission;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.InvalidKeyException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The text of a key that a request brings with it: the pattern of its route and the parts that the route's source found, joined by colons.
 * A text that would be longer than keys of clients becomes a digest.
 */
final class BroughtKey {

    private static final int LONGEST = 255;

    private BroughtKey() {}

    /** @throws InvalidKeyException if a part is not well-formed Unicode */
    static String of(String route, List<String> parts) {
        List<String> all = new ArrayList<>(List.of(route));
        all.addAll(parts);
        String text = all.stream().map(BroughtKey::escaped).collect(Collectors.joining(":"));
        if (text.length() <= LONGEST) {
            return IdempotencyKey.of(text).value();
        }
        return "digest:"
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
