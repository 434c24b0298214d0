package io.idem.consumer;

import io.idem.Scope;
import java.time.Duration;

/** Something about a delivery that is worth counting. Events about records are {@link io.idem.IdempotencyEvent}s. */
public sealed interface ConsumerEvent {

    /** Scope of the listener, or of the work that publishes. */
    Scope scope();

    /** Name of the transport. */
    String transport();

    /** A message carried no key. */
    record KeyMissing(Scope scope, String transport, MissingKeyPolicy policy) implements ConsumerEvent {}

    /** A message carried a value that cannot be a key; it did not run and failed. */
    record KeyInvalid(Scope scope, String transport) implements ConsumerEvent {}

    /** A duplicate of finished work was answered without running it. */
    record Duplicate(Scope scope, String transport) implements ConsumerEvent {}

    /** A message was handed back to the broker, which delivers it again. */
    record Deferred(Scope scope, String transport, Duration retryAfter) implements ConsumerEvent {}

    /** The store does not take work, and the listener holds messages that would run. */
    record Paused(Scope scope, String transport) implements ConsumerEvent {}

    /** The store takes work again, and the listener goes on. */
    record Resumed(Scope scope, String transport) implements ConsumerEvent {}

    /** A message was made a dead letter, or left to the container, which makes it one in its own way. */
    record DeadLettered(Scope scope, String transport, String reason) implements ConsumerEvent {}

    /** No queue took a message that the work of this scope published; it was dropped, and the work counts as done. */
    record Unroutable(Scope scope, String transport, String exchange, String routingKey) implements ConsumerEvent {}
}
