package io.idem.demo.story;

/** What a client may ask for. */
public enum Kind {
    /** Goes to RabbitMQ. */
    PAYMENT("/v1/payments"),
    /** Goes to Kafka. */
    PAYOUT("/v1/payouts");

    private final String path;

    Kind(String path) {
        this.path = path;
    }

    /** Where it is posted to. */
    public String path() {
        return path;
    }
}
