package io.idem.internal.redis.script;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last run of a script with its shared arguments. The records of a batch usually share them, and then need not be
 * compared argument by argument to be sent in one call. Thread-safe.
 */
final class PreparedScript<T> {

    private volatile @Nullable Known<T> latest;

    private record Known<T>(T terms, ScriptRun run) {}

    ScriptRun of(T terms, Function<T, ScriptRun> otherwise) {
        Known<T> known = latest;
        if (known == null || !known.terms().equals(terms)) {
            known = new Known<>(terms, otherwise.apply(terms));
            latest = known;
        }
        return known.run();
    }
}
