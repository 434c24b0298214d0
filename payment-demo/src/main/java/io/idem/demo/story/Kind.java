package io.idem.demo.story;

/** The kinds of operations that a client may ask for. */
public enum Kind {
    /** A payment, sent to RabbitMQ. */
    PAYMENT("/v1/payments"),
    /** A payout, sent to Kafka. */
    PAYOUT("/v1/payouts");

    private final String path;

    Kind(String path) {
        this.path = path;
    }

    /** Returns the path of its requests. */
    public String path() {
        return path;
    }
}
