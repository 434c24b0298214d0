package io.idem.redis;

import io.idem.spi.RecordId;
import java.nio.charset.StandardCharsets;

/** Names of what idem keeps in Redis. The braces put all scopes of a key into one cluster slot. */
final class Keys {

    private static final String SCOPES = "idem:scopes";

    private Keys() {}

    static byte[] of(RecordId record) {
        return ("idem:{" + record.key().id() + "}:" + record.scope()).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] scopes() {
        return SCOPES.getBytes(StandardCharsets.US_ASCII);
    }
}
