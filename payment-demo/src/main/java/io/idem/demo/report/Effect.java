package io.idem.demo.report;

/** A row of a witness table: something that took effect under a client's key. */
public record Effect(String tenant, String key, long amount) {

    OperationName operation() {
        return new OperationName(tenant, key);
    }
}
