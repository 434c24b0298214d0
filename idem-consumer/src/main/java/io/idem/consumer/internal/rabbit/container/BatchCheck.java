package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.internal.rabbit.batch.SwallowedBatches;
import io.idem.consumer.internal.rabbit.message.ContainerFacts;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

/** Refuses batch listeners whose messages have no keys of their own, or cannot be settled one by one. */
record BatchCheck(
        IdempotentRabbitEndpoint endpoint, AbstractMessageListenerContainer container, SwallowedBatches swallowed) {

    /**
     * Checks a batch listener.
     *
     * @return its container, which makes batches of single messages
     * @throws io.idem.consumer.ListenerConfigurationException names listener, setting and remedy
     */
    SimpleMessageListenerContainer check() {
        if (!(container instanceof SimpleMessageListenerContainer simple) || !simple.isConsumerBatchEnabled()) {
            throw endpoint.refused(
                    "is a batch listener, but its container makes no batches: it would get what a producer has batched, whose"
                            + " messages share one key",
                    "Use a SimpleRabbitListenerContainerFactory with consumerBatchEnabled"
                            + " (spring.rabbitmq.listener.simple.consumer-batch-enabled=true), or set batch to false and take"
                            + " single messages");
        }
        endpoint.refuseIf(
                !endpoint.isOnMethod(),
                "is a batch listener on a class: which of its methods gets a batch is decided after the keys are read",
                "Put @RabbitListener on the method");
        endpoint.refuseIf(
                simple.isChannelTransacted(),
                "takes batches on a transacted channel: the failure of one message would take back what the broker was told"
                        + " of the others",
                "Remove channelTransacted from the container factory, and use publisher confirms; or take single messages");
        endpoint.refuseIf(
                !new ContainerFacts(simple).exposesChannel(),
                "takes batches and is given another channel than that of its messages (exposeListenerChannel), on which it"
                        + " would settle what it cannot convert",
                "Leave exposeListenerChannel on, or take single messages");
        endpoint.refuseIf(
                swallowed.countsByMessage(),
                "takes batches under a stateful retry, which counts the failures of a batch as those of its first message",
                "Set spring.rabbitmq.listener.simple.retry.stateless to true, or take single messages");
        return simple;
    }
}
