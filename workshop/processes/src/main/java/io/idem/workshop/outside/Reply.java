package io.idem.workshop.outside;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * An HTTP reply as received.
 *
 * @param status the status code
 * @param headers all headers; names in lower case
 * @param text the body, one character for each byte
 */
public record Reply(int status, Map<String, List<String>> headers, String text) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int ACCEPTED = 202;

    /** Returns whether the intake accepted this request or an earlier one with its key. */
    public boolean accepted() {
        return status == ACCEPTED;
    }

    /** Returns the first value of a header. */
    public Optional<String> header(String lowerCaseName) {
        return headers.getOrDefault(lowerCaseName, List.of()).stream().findFirst();
    }

    /** Returns whether the answer is marked as a replay. */
    public boolean replayed() {
        return header("idempotency-replayed").equals(Optional.of("true"));
    }

    /** Returns the body as JSON. */
    public JsonNode json() {
        return JSON.readTree(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
