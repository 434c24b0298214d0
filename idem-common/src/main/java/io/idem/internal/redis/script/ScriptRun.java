package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Script;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A script with the arguments that all records of one call share.
 *
 * @param withSteps whether the script takes the steps of each record as a further key
 */
public record ScriptRun(Script script, List<String> shared, boolean withSteps) {

    public static ScriptRun of(Script script) {
        return new ScriptRun(script, List.of(), false);
    }

    static ScriptRun withSteps(Script script) {
        return new ScriptRun(script, List.of(), true);
    }

    List<byte[]> sharedBytes() {
        return shared.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
