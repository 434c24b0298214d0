package io.idem.internal.redis.script;

import io.idem.RecordId;
import io.idem.Scope;
import java.nio.charset.StandardCharsets;

/** The names of idem's keys in Redis. The braces put all scopes of a key into one cluster slot. */
public record Keys(String namespace) {

    public byte[] of(RecordId record) {
        return of(record.key().id(), record.scope());
    }

    public byte[] of(String keyId, Scope scope) {
        return bytes(namespace + ":{" + keyId + "}:" + scope);
    }

    /** Returns the name of the steps that are remembered beside a record. No scope contains a slash. */
    public byte[] steps(RecordId record) {
        return bytes(namespace + ":{" + record.key().id() + "}:" + record.scope() + "/steps");
    }

    /** Returns the name of a copy of a settled record that another store keeps. */
    public byte[] front(RecordId record) {
        return bytes(namespace + ":front:{" + record.key().id() + "}:" + record.scope());
    }

    /** Returns the name of the fence up to which copies do not count. */
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
