package io.idem.consumer.rabbit;

import io.idem.Scope;
import io.idem.consumer.ConsumerSettings;
import java.time.Duration;
import java.util.Map;

/**
 * Settings for messages that cannot run now.
 *
 * @param strategy of all scopes that have none of their own; default {@link DeferralStrategy#WAIT_THEN_REDELIVER}
 * @param scopes strategies of single scopes, by name
 * @param delay how long a message stays in a delay queue; default 10 s
 * @param declare whether delay queues are declared at start-up; if not, they must exist; default true
 * @param type type of the declared delay queues; default {@link QueueType#QUORUM}
 */
public record DeferralSettings(
        DeferralStrategy strategy,
        Map<String, DeferralStrategy> scopes,
        Duration delay,
        boolean declare,
        QueueType type) {

    /** The settings by which every message waits on its delivering thread. */
    public static final DeferralSettings DEFAULTS = new DeferralSettings(
            DeferralStrategy.WAIT_THEN_REDELIVER, Map.of(), Duration.ofSeconds(10), true, QueueType.QUORUM);

    /** Type of the delay queues. */
    public enum QueueType {
        /**
         * Replicated; messages come back with confirms between the broker's own queues, so that none is lost on the
         * way.
         */
        QUORUM,
        /** Durable, on one node; a message on its way back is lost if that node dies at this very moment. */
        CLASSIC
    }

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException names the value and what it must be
     */
    public DeferralSettings {
        scopes = Map.copyOf(scopes);
        if (delay.compareTo(ConsumerSettings.SHORTEST_IN_PLACE_WAIT) < 0) {
            throw new IllegalArgumentException("idem.consumer.rabbit.deferral.delay-queue.delay " + delay
                    + " is shorter than " + ConsumerSettings.SHORTEST_IN_PLACE_WAIT
                    + ": messages would spin between the queues");
        }
    }

    /**
     * Checks the delay against the time for which settled records are kept.
     *
     * @throws IllegalArgumentException if a duplicate could come back after its record was forgotten
     */
    public DeferralSettings within(Duration retention) {
        if (usesDelayQueues() && delay.compareTo(retention) >= 0) {
            throw new IllegalArgumentException("idem.consumer.rabbit.deferral.delay-queue.delay " + delay
                    + " is not shorter than the retention " + retention
                    + ": a duplicate would come back when its record is forgotten, and run");
        }
        return this;
    }

    public DeferralStrategy of(Scope scope) {
        return scopes.getOrDefault(scope.name(), strategy);
    }

    public boolean usesDelayQueues() {
        return strategy == DeferralStrategy.DELAY_QUEUE || scopes.containsValue(DeferralStrategy.DELAY_QUEUE);
    }
}
