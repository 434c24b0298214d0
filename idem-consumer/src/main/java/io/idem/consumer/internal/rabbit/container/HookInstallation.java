package io.idem.consumer.internal.rabbit.container;

import com.rabbitmq.client.Address;
import io.idem.consumer.internal.call.IdempotentListeners;
import io.idem.consumer.internal.rabbit.batch.FailedBatchPolicy;
import io.idem.consumer.internal.rabbit.batch.SwallowedBatches;
import io.idem.consumer.internal.rabbit.defer.DeferralPolicy;
import io.idem.consumer.internal.rabbit.defer.WaitLimits;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import io.idem.consumer.internal.rabbit.message.DeferredDeliveryException;
import io.idem.consumer.internal.rabbit.message.PayloadType;
import io.idem.consumer.internal.rabbit.message.RabbitFailureObserver;
import io.idem.internal.method.HiddenMembers;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.aopalliance.aop.Advice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.AbstractConnectionFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;
import org.springframework.amqp.support.postprocessor.AbstractDecompressingPostProcessor;
import org.springframework.amqp.support.postprocessor.DelegatingDecompressingPostProcessor;
import org.springframework.transaction.interceptor.DelegatingTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Installs the delivery hook in a finished container that has not been initialized yet: the hook in front of the
 * application's advices, an observer of failures behind them. Refuses containers that cannot be made safe.
 */
record HookInstallation(
        IdempotentRabbitEndpoint endpoint, AbstractMessageListenerContainer container, HookParts parts) {

    private static final Logger LOG = LoggerFactory.getLogger(HookInstallation.class);

    /**
     * Installs the hook.
     *
     * @throws io.idem.consumer.ListenerConfigurationException names listener, setting and remedy
     */
    void install() {
        refuseWithoutAcknowledgement();
        IdempotentListeners listeners = parts.listeners().get();
        new TransactionCheck(endpoint, container, listeners.inboxAlways()).check();
        ContainerFacts facts = new ContainerFacts(container);
        List<Advice> own = facts.adviceChain();
        refuseOuterTransaction(own);
        own.forEach(advice -> LOG.info(
                "{}: a failure that {} recovers is acknowledged, and its record stays FAILED",
                endpoint,
                advice.getClass().getSimpleName()));
        ConnectionFactory connection = container.getConnectionFactory();
        DeferralPolicy deferrals =
                parts.deferrals().get().of(endpoint.toString(), () -> endpoint.scopes(listeners), container);
        if (parts.deadLetters().get().isEmpty()) {
            parts.deferrals().get().refuseLoops(endpoint.toString(), () -> List.of(container.getQueueNames()));
        }
        checkChangedCopies(deferrals.delayQueues() != null);
        RabbitListenerHook hook = new RabbitListenerHook(
                endpoint,
                container,
                new WaitLimits(listeners, deferrals),
                endpoint.deadLetters(parts, letters -> letters.over(connection)),
                parts.tenants().get().of(connection, endpoint, endpoint.scopes(listeners)));
        container.setAdviceChain(RabbitFailureObserver.chain(hook, own));
        if (container.getMessageListener() instanceof AbstractAdaptableMessageListener replying) {
            RabbitReplies.equip(replying, parts.replyKeys());
        }
        // The messages of a producer's batch share their headers, so also their key; the hook refuses them as a whole.
        container.setDeBatchingEnabled(false);
        facts.transactionAttribute()
                .ifPresent(attribute -> container.setTransactionAttribute(new DeferralRollsBack(attribute)));
        endpoint.checkSources(listeners, broker(connection), List.of(container.getQueueNames()));
        if (endpoint.isBatch()) {
            takeBatches(hook, own);
        } else {
            hook.takeSingleMessages();
        }
        facts.takeAdvices();
        new ContainerProof(endpoint, hook, parts.proof().get()).of(container);
    }

    /** Returns what two connections have in common that lead to the same queues. */
    private static Object broker(ConnectionFactory connection) {
        if (!(connection instanceof AbstractConnectionFactory direct)) {
            return connection;
        }
        List<?> several = (List<?>) HiddenMembers.read(direct, "addresses");
        List<?> addresses = several == null ? List.of(new Address(direct.getHost(), direct.getPort())) : several;
        return List.of(Set.copyOf(addresses), direct.getVirtualHost());
    }

    private void takeBatches(RabbitListenerHook hook, List<Advice> own) {
        SwallowedBatches swallowed =
                new SwallowedBatches(own, parts.recoverers().get());
        SimpleMessageListenerContainer simple = new BatchCheck(endpoint, container, swallowed).check();
        if (swallowed.disposition() != FailedBatchPolicy.Disposition.ACKNOWLEDGE) {
            endpoint.warn(
                    "takes batches under a retry without a bean of type MessageBatchRecoverer: a batch whose retries"
                            + " are used up is settled by idem (" + swallowed.disposition()
                            + "), since spring-rabbit would drop it");
        }
        boolean byHand = container.getAcknowledgeMode() == AcknowledgeMode.MANUAL;
        hook.takeBatches(
                parts.batches().get().of(endpoint.bean(), endpoint.method()),
                FailedBatchPolicy.of(simple, swallowed.disposition()),
                PayloadType.ofElements(endpoint.method()),
                byHand);
    }

    /** Refuses an advice inside of which no idempotent work can stand. */
    private void refuseOuterTransaction(List<Advice> own) {
        endpoint.refuseIf(
                own.stream().anyMatch(TransactionInterceptor.class::isInstance),
                "is delivered to inside a TransactionInterceptor in the advice chain of its container, whose"
                        + " transaction would commit only after the work was recorded as done",
                "Remove it from the advice chain and put @Transactional on the method, or give the transaction manager"
                        + " to the container factory");
    }

    /**
     * Refuses post-processors whose result would be delayed, and would go through them once more, and warns where it is
     * a dead letter. Spring's that decompress by the message's own marks take these off, so that they act once.
     */
    private void checkChangedCopies(boolean delayed) {
        Collection<?> changing = (Collection<?>) HiddenMembers.read(container, "afterReceivePostProcessors");
        if (changing == null || changing.stream().allMatch(HookInstallation::actsOnce)) {
            return;
        }
        endpoint.refuseIf(
                delayed,
                "is listened to by a container with afterReceivePostProcessors: delayed copies of its messages would be"
                        + " what those have made of them, and go through them once more",
                "Do it in the message converter, or set idem.consumer.rabbit.deferral.strategy to wait-then-redeliver");
        if (parts.deadLetters().get().isPresent()) {
            endpoint.warn("is listened to by a container with afterReceivePostProcessors: dead letters of its messages"
                    + " are what those make of them, such as plain text. Without idem.consumer.rabbit.dead-letter.exchange"
                    + " they are the messages that arrived");
        }
    }

    private static boolean actsOnce(Object processor) {
        return processor instanceof DelegatingDecompressingPostProcessor
                || (processor instanceof AbstractDecompressingPostProcessor
                        && !Boolean.TRUE.equals(HiddenMembers.read(processor, "alwaysDecompress")));
    }

    private void refuseWithoutAcknowledgement() {
        endpoint.refuseIf(
                container.getAcknowledgeMode() == AcknowledgeMode.NONE,
                "is listened to with acknowledge mode NONE, under which a failed message is gone",
                "Use AUTO or MANUAL");
    }

    /**
     * The transaction attribute of a container, under which a deferred delivery rolls back even for exceptions for
     * which the application commits.
     */
    private static final class DeferralRollsBack extends DelegatingTransactionAttribute {

        private static final long serialVersionUID = 1;

        DeferralRollsBack(TransactionAttribute own) {
            super(own);
        }

        @Override
        public boolean rollbackOn(Throwable failure) {
            return DeferredDeliveryException.isCauseOf(failure) || super.rollbackOn(failure);
        }
    }
}
