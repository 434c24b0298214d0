package io.idem.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** A script, and the arguments that all records of one call have in common. */
record ScriptUse(Script script, List<String> shared) {

    static ScriptUse of(Script script) {
        return new ScriptUse(script, List.of());
    }

    List<byte[]> sharedBytes() {
        return shared.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
