package io.idem.redis;

import io.idem.spi.RecordId;
import java.nio.charset.StandardCharsets;

/** Names of what idem keeps in Redis. The braces put all scopes of a key into one cluster slot. */
record Keys(String namespace) {

    byte[] of(RecordId record) {
        return bytes(namespace + ":{" + record.key().id() + "}:" + record.scope());
    }

    byte[] scopes() {
        return bytes(namespace + ":scopes");
    }

    private static byte[] bytes(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }
}
