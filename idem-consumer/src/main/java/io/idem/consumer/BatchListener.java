package io.idem.consumer;

import io.idem.AsyncIdempotentExecutor;
import io.idem.Scope;
import java.util.ArrayList;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** One listener method that gets many messages at once. Thread-safe. */
public final class BatchListener {

    private final ListenerDefinition definition;
    private final AsyncIdempotentExecutor executor;
    private final ConsumerSettings settings;
    private final ConsumerEvents events;

    BatchListener(
            ListenerDefinition definition,
            AsyncIdempotentExecutor executor,
            ConsumerSettings settings,
            ConsumerEvents events) {
        this.definition = definition;
        this.executor = executor;
        this.settings = settings;
        this.events = events;
    }

    /** Whose messages they are. */
    public Scope scope() {
        return definition.scope();
    }

    /**
     * Asks for all messages of a batch together, and blocks until every answer is there. Close what it returns.
     *
     * @throws ListenerConfigurationException if a transaction is open that would commit after the work was recorded as done
     */
    public ListenerBatch acquire(List<? extends DeliveredMessage> messages) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new ListenerConfigurationException(
                    definition.method(),
                    "is called inside a transaction that would commit only after the work was recorded as done",
                    "Remove the transaction manager from the listener container and put @Transactional on the method");
        }
        List<BatchedMessage> batch = new ArrayList<>(messages.size());
        messages.forEach(message -> batch.add(new BatchedMessage(message)));
        new BatchClaims(definition, executor, events).acquire(batch);
        return new ListenerBatch(definition, batch, new BatchEnd(definition, executor, settings));
    }
}
