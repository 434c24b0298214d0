package io.idem.consumer.internal.rabbit.message;

import io.idem.internal.method.HiddenMembers;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.ReflectionUtils;

/** Reads settings of a container that only its subclasses can see. */
public record ContainerFacts(AbstractMessageListenerContainer container) {

    /** Returns whether its listener's work ends after its return, so that the listener adapter settles. */
    public boolean endsAsync() {
        Object listener = container.getMessageListener();
        return listener instanceof MessageListener known && known.isAsyncReplies();
    }

    /** Returns whether failed messages come again if their failure does not say. */
    public boolean requeuesRejected() {
        return Boolean.TRUE.equals(HiddenMembers.ask(container, "isDefaultRequeueRejected"));
    }

    /** Returns whether its listener gets the channel of its messages. */
    public boolean exposesChannel() {
        return Boolean.TRUE.equals(HiddenMembers.ask(container, "isExposeListenerChannel"));
    }

    /**
     * Returns whether in mode MANUAL it acknowledges for an {@code ImmediateAcknowledgeAmqpException}, together with
     * all earlier messages of the channel.
     */
    boolean acknowledgesImmediately() {
        return Boolean.TRUE.equals(HiddenMembers.read(container, "enforceImmediateAckForManual"));
    }

    /** The application's own advices, from the outermost on. */
    public List<Advice> adviceChain() {
        return List.of((Advice[]) Objects.requireNonNull(HiddenMembers.ask(container, "getAdviceChain")));
    }

    /** The transaction attribute of its transactions; empty without transactions. */
    public Optional<TransactionAttribute> transactionAttribute() {
        return transactionManager() == null
                ? Optional.empty()
                : Optional.ofNullable((TransactionAttribute) HiddenMembers.ask(container, "getTransactionAttribute"));
    }

    /** The transaction manager of its deliveries; null for none. */
    public @Nullable PlatformTransactionManager transactionManager() {
        return (PlatformTransactionManager) HiddenMembers.ask(container, "getTransactionManager");
    }

    /** Puts its advices in force, which a container otherwise does once, when it is initialized. */
    public void takeAdvices() {
        Object delegate = HiddenMembers.read(container, "delegate");
        ReflectionUtils.invokeMethod(
                HiddenMembers.method(container.getClass(), "initializeProxy", Object.class), container, delegate);
    }
}
