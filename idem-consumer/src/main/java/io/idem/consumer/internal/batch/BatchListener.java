package io.idem.consumer.internal.batch;

import io.idem.Scope;
import io.idem.consumer.ConsumerEvents;
import io.idem.consumer.ConsumerSettings;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.DeliveriesInProgress;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.outage.StoreOutages;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.OperationBatch;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A listener method that gets many messages at once. Thread-safe. */
public final class BatchListener {

    private final ListenerDefinition definition;
    private final AsyncIdempotentExecutor executor;
    private final ConsumerSettings settings;
    private final ConsumerEvents events;
    private final StoreOutages outages;
    private final DeliveriesInProgress inProgress;
    private final BatchPublishing publishing;
    private final LastFailures lastFailures = new LastFailures();

    public BatchListener(
            ListenerDefinition definition,
            AsyncIdempotentExecutor executor,
            ConsumerSettings settings,
            ConsumerEvents events,
            StoreOutages outages,
            DeliveriesInProgress inProgress) {
        this.definition = definition;
        this.executor = executor;
        this.settings = settings;
        this.events = events;
        this.outages = outages;
        this.inProgress = inProgress;
        this.publishing = new BatchPublishing(definition.scope());
    }

    /** Scope of the method's messages. */
    public Scope scope() {
        return definition.scope();
    }

    /** The method, of the target class. */
    public Method method() {
        return definition.method();
    }

    /**
     * Acquires all messages of a batch together, and blocks until every answer is there. Close the returned batch.
     *
     * @param longestHold how long the thread may be held after the work for effects that are not recorded yet, whatever
     *     {@link io.idem.consumer.ConsumerSettings#hold} says
     * @throws ListenerConfigurationException if a transaction is open that would commit after the work was recorded as done
     */
    public ListenerBatch acquire(List<? extends DeliveredMessage> messages, Duration longestHold) {
        if (TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new ListenerConfigurationException(
                    definition.method(),
                    "is called inside a transaction that would commit only after the work was recorded as done",
                    "Remove the transaction manager from the listener container and put @Transactional on the method");
        }
        List<BatchedMessage> batch = new ArrayList<>(messages.size());
        messages.forEach(message -> batch.add(new BatchedMessage(message)));
        OperationBatch operations = executor.batch();
        Duration hold = settings.hold().compareTo(longestHold) < 0 ? settings.hold() : longestHold;
        BatchEnd end = new BatchEnd(definition, operations, executor, lastFailures, hold, longestHold);
        boolean stopped = !begin(messages);
        ListenerBatch acquired =
                new ListenerBatch(definition, batch, end, publishing, inProgress, outages.longestHold());
        if (stopped) {
            batch.forEach(message ->
                    message.decide(new DeliveryDecision.Defer(scope(), Duration.ZERO, "its application has stopped")));
            return acquired;
        }
        try {
            new BatchClaims(definition, operations, events, outages, lastFailures).acquire(batch);
            return acquired;
        } catch (Throwable failed) {
            close(acquired, failed);
            throw failed;
        }
    }

    /**
     * Counts the batch as in progress in every case, since its end is counted. Returns whether its messages may run.
     */
    private boolean begin(List<? extends DeliveredMessage> messages) {
        boolean mayRun = messages.isEmpty() || inProgress.begin(messages.get(0));
        if (messages.isEmpty() || !mayRun) {
            inProgress.begin();
        }
        return mayRun;
    }

    /**
     * Closes a batch that could not be acquired: without this the leases of its granted messages would be renewed for
     * ever.
     */
    private static void close(ListenerBatch acquired, Throwable failed) {
        try {
            acquired.close();
        } catch (RuntimeException | Error another) {
            failed.addSuppressed(another);
        }
    }
}
