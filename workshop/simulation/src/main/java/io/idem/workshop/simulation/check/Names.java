package io.idem.workshop.simulation.check;

import io.idem.RecordId;

/** Short names of records. A consumer's record has the name of its key. */
public final class Names {

    /** Scope of the work with effects. */
    public static final String CONSUMER = "payments";

    /** Scope of the intake. */
    public static final String INTAKE = "http.shop";

    /** Step without a rule for an unknown outcome. */
    public static final String PLAIN_STEP = "charge";

    /** Step whose reconciler asks the provider. */
    public static final String RECONCILED_STEP = "parcel";

    private Names() {}

    /** Returns a record's name in histories and traces. */
    public static String of(RecordId record) {
        String key = record.key().value();
        return record.scope().name().equals(CONSUMER) ? key : record.scope() + "/" + key;
    }
}
