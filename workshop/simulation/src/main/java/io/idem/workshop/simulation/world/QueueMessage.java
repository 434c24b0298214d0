package io.idem.workshop.simulation.world;

/** A message in the queue or on its way to a consumer. */
final class QueueMessage {

    private final long number;
    private final String key;
    private int returns;
    private boolean redelivered;

    QueueMessage(long number, String key) {
        this.number = number;
        this.key = key;
    }

    String key() {
        return key;
    }

    /** Returns the number of returns that the queue counts. */
    int returns() {
        return returns;
    }

    boolean redelivered() {
        return redelivered;
    }

    void returned(boolean counts) {
        redelivered = true;
        returns += counts ? 1 : 0;
    }

    @Override
    public String toString() {
        return "message " + number + " (" + key + ")";
    }
}
