package io.idem.workshop.process;

import java.util.UUID;

/** The requests of the tests to the intake, and their keys. */
public final class Money {

    /** The path of payments, which reach the ledger over RabbitMQ. */
    public static final String PAYMENTS = "/v1/payments";

    /** The path of payouts, which reach the ledger over Kafka. */
    public static final String PAYOUTS = "/v1/payouts";

    private Money() {}

    /** A key that no other test or run has used; its beginning says what it is for. */
    public static String freshKey(String purpose) {
        return purpose + "-" + UUID.randomUUID();
    }

    /** A request's body. */
    public static String cents(long amount) {
        return "{\"account\":\"account-0001\",\"amount\":" + amount + ",\"currency\":\"EUR\"}";
    }
}
