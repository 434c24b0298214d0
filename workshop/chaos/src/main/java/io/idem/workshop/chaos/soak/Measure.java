package io.idem.workshop.chaos.soak;

/**
 * What is measured, and how much it may grow after the warm-up and still count as flat: a share of its median, and an amount on
 * top for what comes in small whole numbers.
 */
enum Measure {
    /** Heap in use after a collection. */
    HEAP("heap after a collection", "MB", 0.10, 1),
    /** Resident memory. */
    RSS("resident memory", "MB", 0.10, 5),
    /** Threads. */
    THREADS("threads", "", 0.05, 2),
    /** Open file descriptors. */
    FILES("file descriptors", "", 0.05, 3),
    /** Clients of Redis. */
    REDIS_CLIENTS("clients of Redis", "", 0, 2),
    /** Redis's memory, less what it took when empty, for each record. */
    REDIS_RECORD("Redis memory per record", "bytes", 0.05, 0),
    /** Connections to the AMQP broker. */
    AMQP_CLIENTS("connections to the AMQP broker", "", 0, 2),
    /** Connections to Kafka. */
    KAFKA_CLIENTS("connections to Kafka", "", 0, 2),
    /** Sessions of PostgreSQL. */
    DATABASE_CLIENTS("sessions of PostgreSQL", "", 0, 2),
    /** Records of consumers whose lease ended long ago and that nobody takes over. */
    ORPHANS("orphaned PENDING of consumers", "", 0, 0),
    /** Those of the intake: its client has its 202, so nobody asks again, and they stay until their retention ends. */
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

    /** Whether it has to be flat. */
    boolean judged() {
        return this != LEFT_BEHIND;
    }

    /** How much it may grow. */
    double tolerance(double median) {
        return median * share + amount;
    }
}
