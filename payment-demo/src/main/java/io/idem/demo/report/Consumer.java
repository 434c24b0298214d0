package io.idem.demo.report;

import io.idem.demo.story.Kind;

/** The consumers, each with the kind of operation that it handles and the table of its effects. */
public enum Consumer {
    PAYMENTS("payments", Kind.PAYMENT, "ledger"),
    PAYOUTS("payouts", Kind.PAYOUT, "ledger"),
    RECEIPTS("receipts", Kind.PAYMENT, "receipts"),
    RISK("risk", Kind.PAYMENT, "risk_checks");

    private final String scope;
    private final Kind kind;
    private final String table;

    Consumer(String scope, Kind kind, String table) {
        this.scope = scope;
        this.kind = kind;
        this.table = table;
    }

    /** Returns the scope of the consumer, which is also its name. */
    public String scope() {
        return scope;
    }

    /** Returns the kind of operation that the consumer handles. */
    public Kind kind() {
        return kind;
    }

    /** Returns the table with the effects of the consumer. */
    public String table() {
        return table;
    }
}
