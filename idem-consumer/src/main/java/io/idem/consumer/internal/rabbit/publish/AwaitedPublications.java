package io.idem.consumer.internal.rabbit.publish;

import io.idem.IdempotencyContext;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.key.CloudEventKey;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.internal.method.HiddenMembers;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.CorrelationDataPostProcessor;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Makes idempotent work wait until the broker has confirmed the messages that it published through a template of the
 * application's own, and publishes a refused message again. A template asks for correlation data only on channels with
 * correlated confirms. Requests of the template that await a reply by direct reply-to or in a temporary queue are not
 * awaited: their reply is their confirm. Thread-safe.
 *
 * @param application needed when the broker returns a message
 * @param own the template's own post-processor, which still makes the correlation data
 */
public record AwaitedPublications(
        RabbitTemplate template,
        Supplier<RabbitConnections> application,
        @Nullable CorrelationDataPostProcessor own)
        implements MessagePostProcessor, CorrelationDataPostProcessor, PriorityOrdered {

    private static final Set<String> WRITTEN =
            Set.of(IdempotencyHeaders.TENANT, IdempotencyHeaders.ROOT, IdempotencyHeaders.DERIVED);

    /** The publication of the calling thread. */
    private static final ThreadLocal<@Nullable Unprocessed> PUBLISHING = new ThreadLocal<>();

    /** Adds the post-processors that make a template's publications awaited. */
    public static void of(RabbitTemplate template, Supplier<RabbitConnections> application) {
        AwaitedPublications awaited = new AwaitedPublications(template, application, own(template));
        template.addBeforePublishPostProcessors(awaited);
        template.setCorrelationDataPostProcessor(awaited);
    }

    /**
     * Returns a message that the calling thread publishes with the body that it had before post-processors of the
     * application, such as one that compresses, changed that: listeners undo this before idem sees the message.
     */
    public static Message unprocessed(RabbitDestination to, Message message) {
        Unprocessed publishing = PUBLISHING.get();
        return publishing != null && publishing.destination().equals(to)
                ? new Message(publishing.message().getBody(), message.getMessageProperties())
                : message;
    }

    private static @Nullable CorrelationDataPostProcessor own(RabbitTemplate template) {
        return (CorrelationDataPostProcessor) HiddenMembers.read(template, "correlationDataPostProcessor");
    }

    @Override
    public Message postProcessMessage(Message message) {
        return message;
    }

    @Override
    public Message postProcessMessage(
            Message message, @Nullable Correlation correlation, String exchange, String routingKey) {
        RabbitDestination to = new RabbitDestination(exchange, routingKey);
        PUBLISHING.set(BoundContexts.toPublish(() -> to.of(message))
                .map(context -> new Unprocessed(context, to, copy(message)))
                .orElse(null));
        return message;
    }

    /** Before the other post-processors: they act again when the message is published again. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    @SuppressWarnings("NullAway") // Without correlation data a template passes null, and takes null for none.
    public CorrelationData postProcess(Message message, @Nullable CorrelationData given) {
        Unprocessed publishing = PUBLISHING.get();
        PUBLISHING.remove();
        CorrelationData made = own == null ? given : own.postProcess(message, given);
        if (made != null && given instanceof RabbitHeaders.Written) {
            return AwaitedMessage.answering(made, given);
        }
        if (publishing == null) {
            return made;
        }
        RabbitDestination to = publishing.destination();
        Unprocessed again = publishing.withHeadersOf(message);
        boolean laterAttempt = Received.isLaterAttempt(publishing.context(), to.of(again.message()));
        if (isRequest(message, publishing.context()) && !laterAttempt) {
            return made;
        }
        CorrelationData sent = made == null ? new CorrelationData() : made;
        OutgoingRabbitMessage outgoing =
                OutgoingRabbitMessage.of(publishing.context(), to, new RoutedMessage(message, true));
        AwaitedMessage awaited = new AwaitedMessage(
                laterAttempt ? outgoing.required() : outgoing,
                () -> Optional.of(application.get()),
                template.getConnectionFactory(),
                repeated -> template.send(to.exchange(), to.routingKey(), copy(again.message()), repeated),
                laterAttempt ? publishing.context().publications()::handBack : null);
        boolean request = !laterAttempt && AwaitedMessage.isRequest(message, given);
        publishing
                .context()
                .publications()
                .track(request ? awaited.answered(sent) : awaited.taken(sent), awaited::publish);
        return sent;
    }

    /** Returns whether the template itself awaits a reply, rather than the requester whose message is handed on. */
    private static boolean isRequest(Message message, IdempotencyContext context) {
        String replyTo = message.getMessageProperties().getReplyTo();
        boolean handedOn = context.publications().message() instanceof Received received
                && received.message().source() instanceof Message request
                && Objects.equals(replyTo, request.getMessageProperties().getReplyTo());
        return replyTo != null && replyTo.startsWith("amq.") && !handedOn;
    }

    private static Message copy(Message message) {
        return new Message(
                message.getBody(),
                MessagePropertiesBuilder.fromClonedProperties(message.getMessageProperties())
                        .build());
    }

    /** A message as it is before post processors and observations touch it. */
    private record Unprocessed(IdempotencyContext context, RabbitDestination destination, Message message) {

        /** Returns a copy with the key with which the message was sent. */
        Unprocessed withHeadersOf(Message sent) {
            MessageProperties to = message.getMessageProperties();
            to.getHeaders().keySet().removeIf(PropagatedHeaders::isKey);
            Map<String, Object> headers =
                    new HashMap<>(sent.getMessageProperties().getHeaders());
            headers.keySet()
                    .removeIf(name ->
                            !PropagatedHeaders.isKey(name) && !WRITTEN.contains(name) && !CloudEventKey.isId(name));
            to.getHeaders().putAll(headers);
            to.setMessageId(sent.getMessageProperties().getMessageId());
            return this;
        }
    }
}
