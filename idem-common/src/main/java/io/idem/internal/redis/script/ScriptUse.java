package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Script;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A script, and the arguments that all records of one call have in common. */
public record ScriptUse(Script script, List<String> shared) {

    public static ScriptUse of(Script script) {
        return new ScriptUse(script, List.of());
    }

    List<byte[]> sharedBytes() {
        return shared.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
