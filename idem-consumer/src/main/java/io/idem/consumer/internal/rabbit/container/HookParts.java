package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.internal.call.BatchListeners;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.guard.StartProof;
import io.idem.consumer.internal.rabbit.defer.Deferrals;
import io.idem.consumer.internal.rabbit.send.RabbitDeadLetterWriter;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.amqp.rabbit.retry.MessageRecoverer;

/**
 * Collaborators of delivery hooks, obtained when the first container is created: factories exist before.
 *
 * @param batches needed when the first container of a batch listener is created
 * @param deadLetters destination of dead letters; empty leaves them to the queues
 * @param tenants of messages that name none
 * @param deferrals strategies for messages that cannot run now
 * @param recoverers of the application; needed when the first container of a batch listener is created
 * @param proof proves each container
 * @param replyKeys whether a reply without a key gets one
 */
public record HookParts(
        Supplier<IdempotentListeners> listeners,
        Supplier<BatchListeners> batches,
        Supplier<Optional<RabbitDeadLetterWriter>> deadLetters,
        Supplier<RabbitTenants> tenants,
        Supplier<Deferrals> deferrals,
        Supplier<List<MessageRecoverer>> recoverers,
        Supplier<StartProof> proof,
        boolean replyKeys) {}
