package io.idem;

/** Names one record: one scope's section of one key. */
public record RecordId(IdempotencyKey key, Scope scope) {

    /** The scope and the digest of the key, fit for logs: the client's own text does not appear. */
    @Override
    public String toString() {
        return scope + "/" + key.id();
    }
}
