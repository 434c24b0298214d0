package io.idem.consumer.internal.rabbit.message;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
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
        return Boolean.TRUE.equals(ask("isDefaultRequeueRejected"));
    }

    /** Returns whether its listener gets the channel of its messages. */
    public boolean exposesChannel() {
        return Boolean.TRUE.equals(ask("isExposeListenerChannel"));
    }

    /**
     * Returns whether in mode MANUAL it acknowledges for an {@code ImmediateAcknowledgeAmqpException}, together with
     * all earlier messages of the channel.
     */
    boolean acknowledgesImmediately() {
        Field field = ReflectionUtils.findField(container.getClass(), "enforceImmediateAckForManual");
        if (field == null) {
            return false;
        }
        ReflectionUtils.makeAccessible(field);
        return Boolean.TRUE.equals(ReflectionUtils.getField(field, container));
    }

    /** The application's own advices, from the outermost on. */
    public List<Advice> adviceChain() {
        return List.of((Advice[]) Objects.requireNonNull(ask("getAdviceChain")));
    }

    /** The transaction attribute of its transactions; empty without transactions. */
    public Optional<TransactionAttribute> transactionAttribute() {
        return transactionManager() == null
                ? Optional.empty()
                : Optional.ofNullable((TransactionAttribute) ask("getTransactionAttribute"));
    }

    /** The transaction manager of its deliveries; null for none. */
    public @Nullable PlatformTransactionManager transactionManager() {
        return (PlatformTransactionManager) ask("getTransactionManager");
    }

    /** Puts its advices in force, which a container otherwise does once, when it is initialized. */
    public void takeAdvices() {
        Field delegate = Objects.requireNonNull(
                ReflectionUtils.findField(container.getClass(), "delegate"),
                "This version of spring-rabbit is not supported: its containers have no field delegate");
        Method initialize = Objects.requireNonNull(
                ReflectionUtils.findMethod(container.getClass(), "initializeProxy", Object.class),
                "This version of spring-rabbit is not supported: its containers have no method initializeProxy");
        ReflectionUtils.makeAccessible(delegate);
        ReflectionUtils.makeAccessible(initialize);
        ReflectionUtils.invokeMethod(initialize, container, ReflectionUtils.getField(delegate, container));
    }

    private @Nullable Object ask(String getter) {
        Method method = Objects.requireNonNull(
                ReflectionUtils.findMethod(container.getClass(), getter),
                () -> "This version of spring-rabbit is not supported: its containers have no method " + getter);
        ReflectionUtils.makeAccessible(method);
        return ReflectionUtils.invokeMethod(method, container);
    }
}
