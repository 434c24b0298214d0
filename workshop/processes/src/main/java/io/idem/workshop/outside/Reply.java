package io.idem.workshop.outside;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP reply as it came.
 *
 * @param status its code
 * @param headers all of them; names in lower case
 * @param text its body, one character for each byte
 */
public record Reply(int status, Map<String, List<String>> headers, String text) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int ACCEPTED = 202;

    /** Returns whether the intake has accepted the request, now or before. */
    public boolean accepted() {
        return status == ACCEPTED;
    }

    /** The first value of a header. */
    public Optional<String> header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, List.of()).stream().findFirst();
    }

    /** Returns whether the answer is marked as a replay. */
    public boolean replayed() {
        return header("idempotency-replayed").equals(Optional.of("true"));
    }

    /** Its body as JSON. */
    public JsonNode json() {
        return JSON.readTree(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
