package io.idem.consumer.rabbit;

import io.idem.consumer.call.BatchListeners;
import io.idem.consumer.call.IdempotentListeners;
import java.util.List;
import java.util.function.Supplier;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;

/** What hooks need, asked for when the first container is created: factories exist before. */
record HookParts(
        Supplier<IdempotentListeners> listeners,
        Supplier<BatchListeners> batches,
        Supplier<DeadLetters> deadLetters,
        Supplier<Deferrals> deferrals,
        Supplier<List<MessageRecoverer>> recoverers) {}
