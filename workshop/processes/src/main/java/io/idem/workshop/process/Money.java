package io.idem.workshop.process;

import java.util.UUID;

/** The requests of the tests to the intake, and their keys. */
public final class Money {

    /** The path of payments, which reach the ledger over RabbitMQ. */
    public static final String PAYMENTS = "/v1/payments";

    /** The path of payouts, which reach the ledger over Kafka. */
    public static final String PAYOUTS = "/v1/payouts";

    private Money() {}

    /** Returns a key that no other test or run uses; it begins with its purpose. */
    public static String freshKey(String purpose) {
        return purpose + "-" + UUID.randomUUID();
    }

    /** Returns the body of a request. */
    public static String cents(long amount) {
        return "{\"account\":\"account-0001\",\"amount\":" + amount + ",\"currency\":\"EUR\"}";
    }
}
