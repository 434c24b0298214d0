package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import io.idem.consumer.internal.rabbit.message.SynchronizedTransaction;
import io.idem.internal.method.HiddenMembers;
import java.util.Optional;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.transaction.RabbitTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Refuses containers whose transactions allow no COMPLETE after the commit, and warns of those in which it comes too
 * early.
 *
 * @param inboxAlways whether every listener runs in the inbox, because it is the store
 */
record TransactionCheck(
        IdempotentRabbitEndpoint endpoint, AbstractMessageListenerContainer container, boolean inboxAlways) {

    /**
     * Checks the transactions.
     *
     * @throws ListenerConfigurationException names listener, setting and remedy
     */
    void check() {
        ContainerFacts facts = new ContainerFacts(container);
        Optional<PlatformTransactionManager> manager = Optional.ofNullable(facts.transactionManager());
        HiddenMembers.checkOverrides(SynchronizedTransaction.class);
        endpoint.refuseIf(
                manager.filter(RabbitTransactionManager.class::isInstance).isPresent(),
                "is delivered to inside transactions of a RabbitTransactionManager, which acknowledge before the"
                        + " commit is known: COMPLETE would come too early or too late",
                "Remove the transaction manager from the container factory, and use publisher confirms or an inbox");
        endpoint.refuseIf(
                manager.isPresent() && inboxAlways,
                "is delivered to inside a transaction of its container, and with idem.store=inbox idem opens the transaction"
                        + " of its work",
                "Remove the transaction manager from the container factory, or choose another idem.store");
        endpoint.refuseIf(
                manager.isPresent() && ListenerShape.asksForInbox(endpoint.method()),
                "asks for an inbox, which opens a transaction of its own, inside a transaction of its container",
                "Remove the transaction manager from the container factory, or inbox = true");
        endpoint.refuseIf(
                (manager.isPresent() || container.isChannelTransacted()) && facts.endsAsync(),
                "ends its work after its return, and a transaction of its container would have ended before",
                "Remove the transaction manager and channelTransacted from the container factory");
        endpoint.refuseIf(
                manager.isPresent() && container.getAcknowledgeMode() == AcknowledgeMode.MANUAL,
                "acknowledges by itself inside a transaction of its container",
                "Use acknowledge mode AUTO, under which the container acknowledges after the commit");
        endpoint.refuseIf(
                manager.isPresent() && endpoint.isBatch(),
                "takes batches inside transactions of its container",
                "Remove the transaction manager from the container factory, or take single messages");
        endpoint.refuseIf(
                (manager.isPresent() || container.isChannelTransacted()) && confirms(container.getConnectionFactory()),
                "uses transacted channels of a connection factory with publisher confirms, and RabbitMQ closes channels that are"
                        + " asked for both",
                "Give the container factory a connection factory of its own with publisher confirms off; templates keep the"
                        + " one that confirms");
        if (container.isChannelTransacted() && manager.isEmpty()) {
            endpoint.warn(
                    "uses a transacted channel: its work is recorded before the channel commits what it published;"
                            + " use publisher confirms or an inbox instead");
        }
    }

    private static boolean confirms(ConnectionFactory connections) {
        return connections.isPublisherConfirms() || connections.isSimplePublisherConfirms();
    }
}
