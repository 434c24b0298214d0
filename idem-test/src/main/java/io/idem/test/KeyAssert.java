package io.idem.test;

import io.idem.IdempotencyKey;
import io.idem.RecordId;
import io.idem.Scope;
import java.util.function.Function;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a key, which has one record in each scope. */
public final class KeyAssert extends AbstractAssert<KeyAssert, IdempotencyKey> {

    private final Function<RecordId, RecordAssert> records;

    KeyAssert(IdempotencyKey key, Function<RecordId, RecordAssert> records) {
        super(key, KeyAssert.class);
        this.records = records;
    }

    /** Returns assertions on the same key of another tenant. */
    public KeyAssert ofTenant(String tenant) {
        return new KeyAssert(new IdempotencyKey(tenant, actual.value()), records);
    }

    /**
     * Returns assertions on the record in a scope as it is now: that of a listener, or for example {@code http.shop}.
     */
    public RecordAssert inScope(String scope) {
        return records.apply(new RecordId(actual, new Scope(scope)));
    }
}
