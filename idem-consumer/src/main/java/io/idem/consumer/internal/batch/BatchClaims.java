package io.idem.consumer.internal.batch;

import io.idem.Admission;
import io.idem.FailurePolicy;
import io.idem.Fingerprint;
import io.idem.Operation;
import io.idem.Outcome;
import io.idem.RecordId;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ConsumerEvent;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.OperationReader;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.DeliveryDecisions;
import io.idem.consumer.internal.delivery.DeliveryFacts;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.outage.StoreOutage;
import io.idem.engine.OperationBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the keys of a batch, acquires all of them together, and decides for every message whether it may run. */
record BatchClaims(
        ListenerDefinition listener, OperationBatch operations, ListenerRuntime runtime, LastFailures lastFailures) {

    private static final Logger LOG = LoggerFactory.getLogger(BatchClaims.class);

    void acquire(List<BatchedMessage> batch) {
        List<Operation> operations = new ArrayList<>(batch.size());
        List<BatchedMessage> asking = new ArrayList<>(batch.size());
        Map<RecordId, Map<Fingerprint, BatchedMessage>> byRecord = new HashMap<>();
        for (BatchedMessage message : batch) {
            operation(message).ifPresent(operation -> {
                Map<Fingerprint, BatchedMessage> sameKey =
                        byRecord.computeIfAbsent(operation.record(), first -> new LinkedHashMap<>());
                Optional<BatchedMessage> twin = twin(sameKey, operation.fingerprint());
                twin.ifPresent(message::follows);
                if (twin.isEmpty()) {
                    sameKey.put(operation.fingerprint(), message);
                    operations.add(operation);
                    asking.add(message);
                }
            });
        }
        Optional<StoreOutage> outage = runtime.outages().silence(listener.scope());
        if (outage.isPresent()) {
            asking.forEach(message -> message.decide(DeliveryDecisions.unasked(listener.scope(), outage.get())));
        } else {
            ask(asking, operations);
        }
    }

    private void ask(List<BatchedMessage> asking, List<Operation> operations) {
        List<CompletionStage<Admission<Boolean>>> answers = this.operations.beginAll(operations);
        for (int i = 0; i < asking.size(); i++) {
            takeGrant(asking.get(i), answers.get(i));
        }
        for (int i = 0; i < asking.size(); i++) {
            answer(asking.get(i), operations.get(i), answers.get(i));
        }
    }

    /**
     * Runs before anything else is done with an answer: the lease of a granted message is renewed until it is settled.
     */
    private static void takeGrant(BatchedMessage message, CompletionStage<Admission<Boolean>> answer) {
        CompletableFuture<Admission<Boolean>> ended = answer.toCompletableFuture();
        if (!ended.isCompletedExceptionally() && ended.join() instanceof Admission.Granted<Boolean> granted) {
            message.granted(granted.operation());
        }
    }

    /**
     * Returns the earlier message of the batch that has the same key: its lease must not make the later one wait.
     * Whether another fingerprint is another payload is decided by the record.
     */
    private static Optional<BatchedMessage> twin(Map<Fingerprint, BatchedMessage> sameKey, Fingerprint print) {
        return print.isNone() ? sameKey.values().stream().findFirst() : Optional.ofNullable(sameKey.get(print));
    }

    private Optional<Operation> operation(BatchedMessage message) {
        OperationReader.Read read = new OperationReader(listener, runtime.events(), DeliveryDecisions.Mode.BATCH)
                .read(message.message(), new Object[listener.method().getParameterCount()]);
        read.decision().ifPresent(message::decide);
        read.operation().ifPresent(message.delivery()::identify);
        return read.operation();
    }

    private void answer(BatchedMessage message, Operation operation, CompletionStage<Admission<Boolean>> answer) {
        try {
            Admission<Boolean> beginning = answer.toCompletableFuture().join();
            runtime.outages().decided(listener.scope(), message.message(), beginning instanceof Admission.Granted);
            if (beginning instanceof Admission.Answered<Boolean> answered) {
                message.decide(decision(message, operation, answered.outcome()));
            }
        } catch (CompletionException failed) {
            message.decide(unanswered(message, FailurePolicy.unwrapped(failed)));
        }
    }

    /** Defers also for an unknown reason: an exception would concern all messages of the batch. */
    private DeliveryDecision unanswered(BatchedMessage message, Throwable why) {
        if (why instanceof StoreUnavailableException silent) {
            StoreOutage outage = runtime.outages().refused(listener.scope(), message.message(), silent);
            return DeliveryDecisions.unanswered(listener.scope(), silent, outage);
        }
        if (why instanceof UnreadableRecordException unreadable) {
            LOG.error("{}", unreadable.getMessage());
            return DeliveryDecisions.unreadable(listener.scope(), false);
        }
        LOG.warn("{} could not be acquired: {}", message.delivery(), why.toString());
        return new DeliveryDecision.Defer(
                listener.scope(), Duration.ZERO, "its record could not be acquired: " + why.getMessage());
    }

    private DeliveryDecision decision(BatchedMessage message, Operation operation, Outcome.NotRun<Boolean> outcome) {
        DeliveryDecision decision = DeliveryDecisions.of(facts(operation), outcome);
        if (decision instanceof DeliveryDecision.Duplicate) {
            LOG.debug("{} is a duplicate for scope \"{}\" and does not run", message.delivery(), listener.scope());
            runtime.events()
                    .publish(new ConsumerEvent.Duplicate(
                            listener.scope(), message.message().transport()));
        }
        return decision;
    }

    private DeliveryFacts facts(Operation operation) {
        return DeliveryFacts.notRun(
                listener.scope(),
                listener.policy().lease(),
                attempts -> lastFailures.of(operation.record().key(), attempts));
    }
}
