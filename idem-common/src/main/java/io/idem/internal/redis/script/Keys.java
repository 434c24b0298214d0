package io.idem.internal.redis.script;

import io.idem.RecordId;
import io.idem.Scope;
import java.nio.charset.StandardCharsets;

/** Names of what idem keeps in Redis. The braces put all scopes of a key into one cluster slot. */
public record Keys(String namespace) {

    public byte[] of(RecordId record) {
        return of(record.key().id(), record.scope());
    }

    public byte[] of(String keyId, Scope scope) {
        return bytes(namespace + ":{" + keyId + "}:" + scope);
    }

    /** A copy of a settled record whose truth is in another store. */
    public byte[] front(RecordId record) {
        return bytes(namespace + ":front:{" + record.key().id() + "}:" + record.scope());
    }

    /** The fence up to which copies do not count. */
    public byte[] reopened(RecordId record) {
        return bytes(namespace + ":reopened:{" + record.key().id() + "}:" + record.scope());
    }

    public byte[] scopes() {
        return bytes(namespace + ":scopes");
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
