package io.idem.internal.redis.script;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The last run of a script and the terms that it was for: the records of a batch mostly come on the same terms, and need not be
 * compared text by text to be found to belong together. Thread-safe.
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
