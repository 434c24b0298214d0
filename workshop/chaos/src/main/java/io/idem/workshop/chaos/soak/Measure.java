package io.idem.workshop.chaos.soak;

/**
 * The measured values, and the rise after the warm-up that still counts as flat: a share of the median plus an amount
 * for measures with small whole numbers.
 */
enum Measure {
    HEAP("heap after a collection", "MB", 0.10, 1),
    RSS("resident memory", "MB", 0.10, 5),
    THREADS("threads", "", 0.05, 2),
    FILES("file descriptors", "", 0.05, 3),
    REDIS_CLIENTS("clients of Redis", "", 0, 2),
    /** Memory of Redis per record, without that of the empty server. */
    REDIS_RECORD("Redis memory per record", "bytes", 0.05, 0),
    AMQP_CLIENTS("connections to the AMQP broker", "", 0, 2),
    KAFKA_CLIENTS("connections to Kafka", "", 0, 2),
    DATABASE_CLIENTS("sessions of PostgreSQL", "", 0, 2),
    /** Records of consumers whose lease ended long ago without a takeover. */
    ORPHANS("orphaned PENDING of consumers", "", 0, 0),
    /**
     * Records that the intake left PENDING. Their clients have been answered with 202 and ask no more, so the records
     * stay until their retention ends.
     */
    LEFT_BEHIND("PENDING left behind by the intake", "", 0, 0);

    private final String title;
    private final String unit;
    private final double share;
    private final double amount;

    Measure(String title, String unit, double share, double amount) {
        this.title = title;
        this.unit = unit;
        this.share = share;
        this.amount = amount;
    }

    String title() {
        return unit.isEmpty() ? title : title + ", " + unit;
    }

    /** Returns whether the measure must be flat. */
    boolean judged() {
        return this != LEFT_BEHIND;
    }

    /** Returns the allowed rise. */
    double tolerance(double median) {
        return median * share + amount;
    }
}
