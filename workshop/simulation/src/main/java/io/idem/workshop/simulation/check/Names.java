package io.idem.workshop.simulation.check;

import io.idem.RecordId;

/** Short names of records. Consumers' records are called like their key. */
public final class Names {

    /** The scope whose work has effects. */
    public static final String CONSUMER = "payments";

    /** The scope of the intake. */
    public static final String INTAKE = "http.shop";

    private Names() {}

    /** A record's name in stories and traces. */
    public static String of(RecordId record) {
        String key = record.key().value();
        return record.scope().name().equals(CONSUMER) ? key : record.scope() + "/" + key;
    }
}
