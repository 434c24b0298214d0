package io.idem.consumer;

import io.idem.Scope;
import java.time.Duration;

/** Something about a delivery worth counting; what happens to records is told by {@link io.idem.IdempotencyEvent}. */
public sealed interface ConsumerEvent {

    /** Which listener. */
    Scope scope();

    /** Name of the transport. */
    String transport();

    /** A message carried no key. */
    record KeyMissing(Scope scope, String transport, MissingKeyPolicy policy) implements ConsumerEvent {}

    /** A message carried something that cannot be a key; it did not run and failed. */
    record KeyInvalid(Scope scope, String transport) implements ConsumerEvent {}

    /** A duplicate of finished work was answered without running it. */
    record Duplicate(Scope scope, String transport) implements ConsumerEvent {}

    /** A message was handed back to the broker to come again. */
    record Deferred(Scope scope, String transport, Duration retryAfter) implements ConsumerEvent {}

    /** The store does not answer: the listener gets no more messages until it does. */
    record Paused(Scope scope, String transport) implements ConsumerEvent {}

    /** The store answers again: the listener goes on. */
    record Resumed(Scope scope, String transport) implements ConsumerEvent {}

    /** A message was made a dead letter, or left to the container's own way of doing so. */
    record DeadLettered(Scope scope, String transport, String reason) implements ConsumerEvent {}
}
