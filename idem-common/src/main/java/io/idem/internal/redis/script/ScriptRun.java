package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Script;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A script with the arguments that all records of one call share. */
public record ScriptRun(Script script, List<String> shared) {

    public static ScriptRun of(Script script) {
        return new ScriptRun(script, List.of());
    }

    List<byte[]> sharedBytes() {
        return shared.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
