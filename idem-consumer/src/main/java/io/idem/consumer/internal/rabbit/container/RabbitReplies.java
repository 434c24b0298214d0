package io.idem.consumer.internal.rabbit.container;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.rabbit.message.RabbitDelivery;
import io.idem.consumer.internal.rabbit.publish.RabbitHeaders;
import io.idem.internal.method.HiddenMembers;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.listener.adapter.ReplyPostProcessor;
import org.springframework.amqp.rabbit.listener.adapter.AbstractAdaptableMessageListener;

/**
 * Gives the replies of an idempotent listener a key of their own, the tenant and the root, after the application's own
 * reply post-processor. Replies bypass every template: they are sent on the channel of their request.
 *
 * @param withKeys whether a reply without a key gets one
 */
record RabbitReplies(@Nullable ReplyPostProcessor own, boolean withKeys) implements ReplyPostProcessor {

    /** Equips a listener that replies. */
    static void equip(AbstractAdaptableMessageListener listener, boolean withKeys) {
        // There is no accessor, and the application's own may come from the annotation or from the factory.
        ReplyPostProcessor own = (ReplyPostProcessor) HiddenMembers.read(listener, "replyPostProcessor");
        if (!(own instanceof RabbitReplies)) {
            listener.setReplyPostProcessor(new RabbitReplies(own, withKeys));
        }
    }

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
