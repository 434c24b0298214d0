package io.idem.consumer.internal.batch;

import io.idem.Scope;
import io.idem.consumer.DeliveredMessage;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.engine.OperationBatch;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** A listener method that gets many messages at once. Thread-safe. */
public final class BatchListener {

    private final ListenerDefinition definition;
    private final ListenerRuntime runtime;
    private final BatchPublishing publishing;
    private final LastFailures lastFailures = new LastFailures();

    public BatchListener(ListenerDefinition definition, ListenerRuntime runtime) {
        this.definition = definition;
        this.runtime = runtime;
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
        OperationBatch operations = runtime.async().batch();
        BatchEnd end = new BatchEnd(definition, operations, runtime, lastFailures, longestHold);
        boolean stopped = !begin(messages);
        ListenerBatch acquired = new ListenerBatch(definition, batch, end, publishing, runtime);
        if (stopped) {
            batch.forEach(message ->
                    message.decide(new DeliveryDecision.Defer(scope(), Duration.ZERO, "its application has stopped")));
            return acquired;
        }
        try {
            new BatchClaims(definition, operations, runtime, lastFailures).acquire(batch);
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
        boolean mayRun = messages.isEmpty() || runtime.inProgress().begin(messages.get(0));
        if (messages.isEmpty() || !mayRun) {
            runtime.inProgress().begin();
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
