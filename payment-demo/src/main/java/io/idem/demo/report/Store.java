package io.idem.demo.report;

/** The place of idem's records in a run. */
public enum Store {
    /** Redis, with or without an inbox for the payments. */
    REDIS("takeovers"),
    /** The inbox of PostgreSQL alone, without Redis. */
    INBOX("restarts");

    private final String afterDeaths;

    Store(String afterDeaths) {
        this.afterDeaths = afterDeaths;
    }

    /** Returns the name of grants of work whose owner died. */
    public String afterDeaths() {
        return afterDeaths;
    }
}
