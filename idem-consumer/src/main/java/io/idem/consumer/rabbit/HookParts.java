package io.idem.consumer.rabbit;

import io.idem.consumer.IdempotentListeners;
import java.util.function.Supplier;

/** What hooks need, asked for when the first container is created: factories exist before. */
record HookParts(
        Supplier<IdempotentListeners> listeners, Supplier<DeadLetters> deadLetters, Supplier<Deferrals> deferrals) {}
