package io.idem.internal.operations;

import io.idem.IdempotencyKey;
import io.idem.internal.value.Uuids;
import java.util.function.Predicate;

/** The key that an operator means. Pure function. */
public final class AskedKey {

    private AskedKey() {}

    /**
     * Returns the key as the operator wrote it; a UUID in lower case, as the filters for HTTP record it, if only that one has a record.
     *
     * @param known whether a key has a record
     */
    public static IdempotencyKey of(String tenant, String written, Predicate<IdempotencyKey> known) {
        IdempotencyKey key = new IdempotencyKey(tenant, written);
        IdempotencyKey canonical = new IdempotencyKey(tenant, Uuids.canonical(written));
        return !canonical.equals(key) && !known.test(key) && known.test(canonical) ? canonical : key;
    }
}
