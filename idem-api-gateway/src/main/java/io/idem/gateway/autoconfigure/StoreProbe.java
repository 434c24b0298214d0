package io.idem.gateway.autoconfigure;

import io.idem.IdempotencyKey;
import io.idem.Scope;
import io.idem.gateway.Probe;
import io.idem.spi.IdempotencyStore;
import io.idem.spi.RecordId;

/** Reads a record that nobody has. */
record StoreProbe(IdempotencyStore store) implements Probe {

    private static final RecordId NOBODYS = new RecordId(IdempotencyKey.of("idem-health"), new Scope("idem.health"));

    @Override
    public void check() {
        var unused = store.inspect(NOBODYS);
    }
}
