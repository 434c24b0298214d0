package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.rabbit.message.DeferringListener;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.publish.RabbitHeaders;
import io.idem.internal.method.HiddenMembers;
import io.idem.internal.spring.BeforeContainers;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListenerContainer;
import org.springframework.amqp.listener.adapter.ReplyPostProcessor;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.RabbitListenerEndpointRegistry;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;

/**
 * Gives the replies of idempotent listeners a key of their own, the tenant and the root, after the application's own
 * reply post-processor. Replies bypass every template: they are sent on the channel of their request.
 */
public final class RabbitReplies extends BeforeContainers {

    private final Supplier<RabbitListenerEndpointRegistry> registry;
    private final boolean withKeys;

    /**
     * Gives keys to the replies of a registry's containers.
     *
     * @param registry is no dependency of this bean: Spring would stop this bean with the registry, count it as one that the
     *     registry's phase awaits, and close the context while listeners still work
     * @param withKeys whether a reply without a key gets one
     */
    public RabbitReplies(Supplier<RabbitListenerEndpointRegistry> registry, boolean withKeys) {
        this.registry = registry;
        this.withKeys = withKeys;
    }

    @Override
    protected void prepare() {
        registry.get().getListenerContainers().forEach(this::install);
    }

    private void install(MessageListenerContainer container) {
        if (container instanceof AbstractMessageListenerContainer known
                && DeferringListener.behind(known.getMessageListener())
                        instanceof AbstractAdaptableMessageListener listener) {
            // There is no accessor, and the application's own may come from the annotation or from the factory.
            ReplyPostProcessor own = (ReplyPostProcessor) HiddenMembers.read(listener, "replyPostProcessor");
            if (!(own instanceof Propagating)) {
                listener.setReplyPostProcessor(new Propagating(own, withKeys));
            }
        }
    }

    private record Propagating(@Nullable ReplyPostProcessor own, boolean withKeys) implements ReplyPostProcessor {

        @Override
        public Message apply(Message request, Message reply) {
            Message processed = own == null ? reply : own.apply(request, reply);
            boolean keyed = RabbitHeaders.present(IdempotencyHeaders.KEY, processed);
            return PropagatedHeaders.insteadOf(new RabbitDelivery(processed, () -> false))
                    .or(() -> withKeys && !keyed ? PropagatedHeaders.nextReply() : Optional.empty())
                    .map(headers -> RabbitHeaders.write(headers, processed))
                    .orElse(processed);
        }
    }
}
