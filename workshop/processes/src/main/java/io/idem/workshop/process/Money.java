package io.idem.workshop.process;

import java.util.UUID;

/** What the tests ask the intake for, and under which keys. */
public final class Money {

    /** Where payments are asked for: over RabbitMQ to the ledger. */
    public static final String PAYMENTS = "/v1/payments";

    /** Where payouts are asked for: over Kafka to the ledger. */
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
