package io.idem.consumer.internal.call;

import io.idem.Admission;
import io.idem.Operation;
import io.idem.RefusedWorkException;
import io.idem.RunningOperation;
import io.idem.StoreUnavailableException;
import io.idem.UnreadableRecordException;
import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerDefinition;
import io.idem.consumer.internal.definition.OperationReader;
import io.idem.consumer.internal.delivery.ContainerTransaction;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.DeliveryDecision;
import io.idem.consumer.internal.delivery.DeliveryDecisions;
import io.idem.consumer.internal.delivery.ListenerRuntime;
import io.idem.consumer.internal.delivery.OwnSettlement;
import io.idem.consumer.internal.delivery.UndecidedDelivery;
import io.idem.consumer.internal.outage.StoreOutage;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Call of a listener method: reads the key, runs the engine, leaves a decision. Never throws to defer a message. */
record ListenerCall(ListenerDefinition listener, Delivery delivery, ListenerWork work, ListenerRuntime runtime) {

    @Nullable Object decide() throws Throwable {
        Optional<DeliveryDecision.DeadLetter> rejection = delivery.rejection();
        if (rejection.isPresent()) {
            delivery.decide(rejection.get());
            return null;
        }
        delivery.decide(new DeliveryDecision.Refused());
        Optional<ListenerConfigurationException> refusal = outerTransaction();
        if (refusal.isPresent()) {
            return stop(refusal.get());
        }
        OperationReader.Read read;
        try {
            read = new OperationReader(listener, runtime.events(), DeliveryDecisions.Mode.SINGLE)
                    .read(delivery.message(), work.invocation().getArguments());
        } catch (ListenerConfigurationException unfit) {
            return stop(unfit);
        }
        read.operation().ifPresent(delivery::identify);
        return read.operation().isPresent() ? run(read.operation().get()) : withoutOperation(read);
    }

    /** Leaves a refusal as the decision, so that no error handling of the application sees it. */
    private @Nullable Object stop(ListenerConfigurationException refusal) {
        delivery.decide(new DeliveryDecision.Stop(refusal));
        return null;
    }

    private Optional<ListenerConfigurationException> outerTransaction() {
        boolean containers =
                delivery.transaction().filter(ContainerTransaction::isCurrent).isPresent();
        if (TransactionSynchronizationManager.isActualTransactionActive() && !containers) {
            return Optional.of(new ListenerConfigurationException(
                    listener.method(),
                    "is called inside a transaction that is not its container's and would commit only after the work was"
                            + " recorded as done",
                    "Put @Transactional on the method, or give the transaction manager to the listener container"));
        }
        if (delivery.transaction().isPresent() && listener.inbox() != null) {
            return Optional.of(new ListenerConfigurationException(
                    listener.method(),
                    "asks for an inbox, which opens a transaction of its own, inside a transaction of its container",
                    "Remove the transaction manager from the listener container, or inbox = true"));
        }
        return Optional.empty();
    }

    private @Nullable Object withoutOperation(OperationReader.Read read) throws Throwable {
        if (read.decision().isEmpty()) {
            return runUnguarded();
        }
        delivery.decide(read.decision().get());
        if (read.decision().get() instanceof DeliveryDecision.Failed) {
            throw read.failure().orElseThrow();
        }
        return null;
    }

    private @Nullable Object runUnguarded() throws Throwable {
        delivery.decide(new DeliveryDecision.Failed(Optional.empty()));
        Object value = work.runUnguarded();
        delivery.decide(new DeliveryDecision.Ran());
        return value;
    }

    private @Nullable Object run(Operation operation) throws Throwable {
        CallAnswers answers = new CallAnswers(listener, delivery, work, runtime);
        Optional<StoreOutage> outage = runtime.outages().silence(listener.scope());
        if (outage.isPresent()) {
            return answers.away(outage.get());
        }
        delivery.decide(new DeliveryDecision.Failed(Optional.empty()));
        try {
            Optional<AsyncMethodCall> asyncCall = AsyncMethodCall.of(answers);
            Optional<ContainerTransaction> transaction = delivery.transaction();
            if (asyncCall.isPresent() && transaction.isEmpty()) {
                return asyncCall.get().run(operation);
            }
            Optional<OwnSettlement> own = delivery.own().filter(settles -> listener.inbox() == null);
            if (transaction.isEmpty() && own.isEmpty()) {
                return answers.answer(answers.recorded(runtime.executor().execute(operation, work)));
            }
            Admission<Optional<Object>> beginning = runtime.executor().begin(operation);
            if (beginning instanceof Admission.Answered<Optional<Object>> answered) {
                return answers.answer(answered.outcome());
            }
            RunningOperation running = ((Admission.Granted<Optional<Object>>) beginning).operation();
            return transaction.isPresent()
                    ? new TransactedCall(transaction.get(), answers).call(running)
                    : new ManualCall(own.orElseThrow(), answers).call(running);
        } catch (ListenerConfigurationException | RefusedWorkException refusal) {
            delivery.decide(UndecidedDelivery.refusal(refusal).orElseThrow());
            return null;
        } catch (StoreUnavailableException silent) {
            if (work.started()) {
                throw silent;
            }
            return answers.storeSilent(silent);
        } catch (UnreadableRecordException unreadable) {
            if (work.started() && !work.finished()) {
                throw unreadable;
            }
            return answers.unreadable(unreadable);
        } catch (RuntimeException failure) {
            // A callback before the commit of an inbox fails outside of the method.
            delivery.decide(new DeliveryDecision.Stop(work.refusal(failure).orElseThrow(() -> failure)));
            return null;
        }
    }
}
