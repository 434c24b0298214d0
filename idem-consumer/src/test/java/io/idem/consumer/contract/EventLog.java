package io.idem.consumer.contract;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What happened in an application, in its order. Thread-safe. */
public final class EventLog implements Resettable {

    /** The listener method was called. */
    public static final String WORK = "work";

    /** Its transaction was committed. */
    public static final String COMMIT = "commit";

    /** Its transaction was rolled back. */
    public static final String ROLLBACK = "rollback";

    /** The record says COMPLETED. */
    public static final String COMPLETE = "COMPLETE";

    /** The broker was told that the message is done. */
    public static final String ACKNOWLEDGE = "acknowledge";

    /** The broker was told that the message is to come again. */
    public static final String HAND_BACK = "hand back";

    /** The broker was told that the message failed. */
    public static final String REJECT = "reject";

    /** The broker handed a message over. */
    public static final String DELIVERY = "delivery";

    private final List<String> events = new CopyOnWriteArrayList<>();

    /** Notes an event. */
    public void note(String event) {
        events.add(event);
    }

    /** Forgets all events, for the next test. */
    @Override
    public void reset() {
        events.clear();
    }

    /** All of them. */
    public List<String> all() {
        return List.copyOf(events);
    }

    /** All but the deliveries. */
    public List<String> withoutDeliveries() {
        return events.stream().filter(event -> !event.equals(DELIVERY)).toList();
    }

    /**
     * All but the deliveries and the rejections. A rejection is noted after it was sent: when another thread than the listener's sends
     * it, the message may come again, and be worked on, before the note is made.
     */
    public List<String> withoutDeliveriesAndRejections() {
        return withoutDeliveries().stream()
                .filter(event -> !event.equals(REJECT))
                .toList();
    }

    /** How often something happened. */
    public long count(String event) {
        return events.stream().filter(event::equals).count();
    }
}
