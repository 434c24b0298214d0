package io.idem.demo.report;

import io.idem.demo.story.Kind;

/** The consumers that must have acted, and where each has left its traces. */
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

    /** Its scope, which is also its name. */
    public String scope() {
        return scope;
    }

    /** What it acts on. */
    public Kind kind() {
        return kind;
    }

    /** Where its effects are. */
    public String table() {
        return table;
    }
}
