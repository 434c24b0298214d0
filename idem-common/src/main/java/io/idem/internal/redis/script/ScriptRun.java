package io.idem.internal.redis.script;

import io.idem.internal.redis.client.Script;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * A script with the arguments that all records of one call share.
 *
 * @param withSteps whether the script takes the steps of each record as a further key
 */
public record ScriptRun(Script script, List<String> shared, boolean withSteps) {

    /** The scripts that only keep or forget steps beside what they do. */
    private static final Set<String> STEPS_ARE_OPTIONAL = Set.of("renew", "complete", "fail", "reject");

    public static ScriptRun of(Script script) {
        return new ScriptRun(script, List.of(), false);
    }

    static ScriptRun withSteps(Script script) {
        return new ScriptRun(script, List.of(), true);
    }

    /** Returns whether the script does its work without the steps too. */
    boolean mayGoWithoutSteps() {
        return withSteps && STEPS_ARE_OPTIONAL.contains(script.name());
    }

    ScriptRun withoutSteps() {
        return new ScriptRun(script, shared, false);
    }

    List<byte[]> sharedBytes() {
        return shared.stream()
                .map(text -> text.getBytes(StandardCharsets.US_ASCII))
                .toList();
    }
}
