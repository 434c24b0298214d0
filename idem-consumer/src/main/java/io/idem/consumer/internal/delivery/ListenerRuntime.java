package io.idem.consumer.internal.delivery;

import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;

/**
 * The parts that all listeners of an application share. Thread-safe.
 *
 * @param executor runs listener methods
 * @param async runs those whose work ends after their return, and batches
 * @param outages of the executor's store
 * @param inProgress learns of deliveries whose listeners are at work
 */
public record ListenerRuntime(
        IdempotentExecutor executor,
        AsyncIdempotentExecutor async,
        ConsumerSettings settings,
        ConsumerEvents events,
        StoreOutages outages,
        DeliveriesInProgress inProgress) {}
