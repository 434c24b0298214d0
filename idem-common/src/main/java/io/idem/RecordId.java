package io.idem;

/** The name of one record: the part of a key that belongs to one scope. */
public record RecordId(IdempotencyKey key, Scope scope) {

    /** Returns the scope and the digest of the key, fit for logs: the text of the client is not contained. */
    @Override
    public String toString() {
        return scope + "/" + key.id();
    }
}
