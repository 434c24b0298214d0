package io.idem.internal.result;

import io.idem.RecordId;
import io.idem.result.ResultKey;
import io.idem.result.ResultKeyProvider;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Keys from the settings, the same for all records: one that encrypts, and all that decrypt. Immutable. */
public final class ConfiguredKeys implements ResultKeyProvider {

    private final Map<String, ResultKey> byId;
    private final ResultKey current;

    /**
     * Creates a provider of keys with different ids.
     *
     * @throws IllegalArgumentException if {@code current} is not among them
     */
    public ConfiguredKeys(List<ResultKey> keys, String current) {
        this.byId = keys.stream().collect(Collectors.toUnmodifiableMap(ResultKey::id, Function.identity()));
        ResultKey chosen = byId.get(current);
        if (chosen == null) {
            throw new IllegalArgumentException("key " + current + " is none of the keys " + byId.keySet());
        }
        this.current = chosen;
    }

    @Override
    public ResultKey current(RecordId record) {
        return current;
    }

    @Override
    public Optional<ResultKey> find(RecordId record, String id) {
        return Optional.ofNullable(byId.get(id));
    }
}
