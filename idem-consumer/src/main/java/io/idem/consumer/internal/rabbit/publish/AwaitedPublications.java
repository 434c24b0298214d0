package io.idem.consumer.internal.rabbit.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import io.idem.IdempotencyContext;
import io.idem.RefusedWorkException;
import io.idem.consumer.IdempotencyHeaders;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import io.idem.consumer.internal.delivery.Received;
import io.idem.consumer.internal.key.CloudEventKey;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.core.MessageProperties;
import org.springframework.amqp.core.MessagePropertiesBuilder;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.CorrelationDataPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;

/**
 * Makes the messages that a template publishes part of the idempotent work that publishes them. Inside an inbox they are
 * kept. Outside, the work waits until the broker has confirmed them, and a refused message is published again: a template
 * asks for correlation data only on channels with correlated confirms. Requests whose reply the template awaits are
 * neither kept nor awaited: their reply is their confirm. Thread-safe.
 *
 * @param own the template's own post-processor, which still makes the correlation data
 */
public record AwaitedPublications(
        EquippedTemplate equipped, @Nullable CorrelationDataPostProcessor own)
        implements MessagePostProcessor, CorrelationDataPostProcessor, PriorityOrdered {

    private static final Set<String> WRITTEN =
            Set.of(IdempotencyHeaders.TENANT, IdempotencyHeaders.ROOT, IdempotencyHeaders.DERIVED);

    /** The publication of the calling thread. */
    static final ThreadLocal<@Nullable Publication> PUBLISHING = new ThreadLocal<>();

    public AwaitedPublications {
        own = own instanceof AwaitedPublications others ? others.own : own;
    }

    /**
     * Returns a message that the calling thread publishes with the body that it had before post-processors of the
     * application, such as one that compresses, changed that: listeners undo this before idem sees the message.
     */
    public static Message unprocessed(RabbitDestination to, Message message) {
        Publication publishing = PUBLISHING.get();
        return publishing != null && publishing.destination().equals(to)
                ? new Message(publishing.before().getBody(), message.getMessageProperties())
                : message;
    }

    @Override
    public Message postProcessMessage(Message message) {
        return message;
    }

    @Override
    public Message postProcessMessage(
            Message message, @Nullable Correlation correlation, String exchange, String routingKey) {
        RabbitDestination to = new RabbitDestination(exchange, routingKey);
        Optional<IdempotencyContext> context = BoundContexts.toPublish(() -> to.of(message));
        context.ifPresent(work -> equipped.equip());
        InboxSends.Call call = context.isPresent() ? InboxSends.call(correlation) : InboxSends.Call.OTHER;
        if (call == InboxSends.Call.PAST_RETRIES) {
            return copyBeside(message);
        }
        boolean send = call == InboxSends.Call.SEND;
        boolean kept = send
                && context.filter(work -> isKept(work, to, message, correlation))
                        .isPresent();
        if (send && !kept && isToComeBack(message, correlation)) {
            throw new InboxSends.DivertedException(() -> equipped.resend(to, message, new RabbitHeaders.Awaited()));
        }
        if (kept != (equipped.dedicatedChannels().get() == InboxSends.INBOX)) {
            throw new InboxSends.DivertedException(null);
        }
        boolean mandatory = kept && isMandatory(message);
        PUBLISHING.set(context.map(work -> new Publication(this, work, to, message, copy(message), mandatory))
                .orElse(null));
        return message;
    }

    private boolean isKept(
            IdempotencyContext work, RabbitDestination to, Message message, @Nullable Correlation correlation) {
        if (!work.publications().keeping()
                || correlation instanceof RabbitHeaders.Written
                || (AwaitedMessage.isRequest(message, correlation) && !Received.isLaterAttempt(work, to.of(message)))) {
            return false;
        }
        // A binder's own does not await its confirm.
        if (correlation == null || correlation.getClass().getName().startsWith("org.springframework.integration.")) {
            return true;
        }
        throw new RefusedWorkException("A message to " + to + " leaves after the inbox transaction: publish it without"
                + " CorrelationData, whose future would not complete before the commit");
    }

    /** Returns whether a template would not publish a message as mandatory, though set to, because it has no correlation data. */
    private boolean isToComeBack(Message message, @Nullable Correlation correlation) {
        return correlation == null
                && equipped.template().getConnectionFactory().isPublisherConfirms()
                && equipped.template().isMandatoryFor(message);
    }

    /**
     * Returns whether the broker is to say that no queue takes a kept message. A template whose connection has no returns
     * has nothing to say about it: it could not hear of them.
     */
    private boolean isMandatory(Message message) {
        return message instanceof RoutedMessage routed
                ? routed.mandatory()
                : !equipped.template().getConnectionFactory().isPublisherReturns()
                        || equipped.template().isMandatoryFor(message);
    }

    /** Before the other post-processors: they act again when the message is published again. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    @SuppressWarnings("NullAway") // Without correlation data a template passes null, and takes null for none.
    public CorrelationData postProcess(Message message, @Nullable CorrelationData given) {
        Publication publishing = PUBLISHING.get();
        CorrelationData made = own == null ? given : own.postProcess(message, given);
        if (made != null && given instanceof RabbitHeaders.Written) {
            return AwaitedMessage.answering(made, given);
        }
        if (publishing == null
                || publishing.work().publications().keeping()
                || InboxSends.call(given) != InboxSends.Call.SEND) {
            return made;
        }
        publishing.work().publications().requireNoStep();
        RabbitDestination to = publishing.destination();
        Message again = publishing.withHeadersOf(message);
        boolean laterAttempt = Received.isLaterAttempt(publishing.work(), to.of(again));
        CorrelationData sent = made == null ? new CorrelationData() : made;
        OutgoingRabbitMessage outgoing =
                OutgoingRabbitMessage.of(publishing.work(), to, new RoutedMessage(message, true));
        AwaitedMessage awaited = new AwaitedMessage(
                laterAttempt ? outgoing.required() : outgoing,
                () -> Optional.of(equipped.application().get()),
                equipped.template().getConnectionFactory(),
                repeated -> equipped.resend(to, copy(again), repeated),
                laterAttempt ? publishing.work().publications()::handBack : null);
        boolean request = !laterAttempt && AwaitedMessage.isRequest(message, given);
        InboxSends.onceSent(() -> publishing
                .work()
                .publications()
                .track(request ? awaited.answered(sent) : awaited.taken(sent), awaited::publish));
        return sent;
    }

    /** Returns a copy to publish instead of a message, on which the template still sets the user id. */
    private static Message copyBeside(Message message) {
        MessageProperties given = message.getMessageProperties();
        MessageProperties copied = new MessageProperties() {
            @Override
            public @Nullable String getUserId() {
                return super.getUserId() == null ? given.getUserId() : super.getUserId();
            }
        };
        MessagePropertiesBuilder.fromProperties(copied).copyProperties(given);
        return new Message(message.getBody(), copied);
    }

    /** Returns a message with the same body and properties of its own. */
    public static Message copy(Message message) {
        return new Message(
                message.getBody(),
                MessagePropertiesBuilder.fromClonedProperties(message.getMessageProperties())
                        .build());
    }

    private static boolean isIdems(String header) {
        return PropagatedHeaders.isKey(header) || WRITTEN.contains(header) || CloudEventKey.isId(header);
    }

    /**
     * One message of some work.
     *
     * @param message as the caller gave it; post-processors write on it
     * @param before a copy of it before post processors and observations touched it
     * @param mandatory of a message that is kept
     */
    record Publication(
            AwaitedPublications by,
            IdempotencyContext work,
            RabbitDestination destination,
            Message message,
            Message before,
            boolean mandatory) {

        /** Returns a copy with the key with which the message was sent. */
        Message withHeadersOf(Message sent) {
            Message keyed = copy(before);
            write(sent, keyed);
            return keyed;
        }

        /** Takes the key off the caller's message, which may be sent again as another one. */
        void restore() {
            write(before, message);
        }

        private static void write(Message from, Message to) {
            Map<String, Object> headers = to.getMessageProperties().getHeaders();
            headers.keySet().removeIf(AwaitedPublications::isIdems);
            from.getMessageProperties().getHeaders().forEach((name, value) -> {
                if (isIdems(name)) {
                    headers.put(name, value);
                }
            });
            to.getMessageProperties().setMessageId(from.getMessageProperties().getMessageId());
        }

        /** Keeps what its template would send. */
        void keep(BasicProperties properties, byte[] body) {
            UnkeyedPublications.forget();
            boolean keyed = properties.getHeaders().containsKey(IdempotencyHeaders.KEY);
            if (Probe.endsAt(keyed ? by.equipped().template() : this)) {
                return;
            }
            Message sent = AmqpMessageBytes.message(properties, body);
            boolean laterAttempt = Received.isLaterAttempt(work, destination.of(withHeadersOf(sent)));
            RoutedMessage routed = new RoutedMessage(sent, mandatory);
            // Routed messages are those of an intake.
            OutgoingRabbitMessage kept = message instanceof RoutedMessage
                    ? OutgoingRabbitMessage.of(destination, routed)
                    : OutgoingRabbitMessage.of(work, destination, routed);
            Optional<String> over =
                    by.equipped().application().get().keptFor(by.equipped().connection(before));
            work.publications().keep((laterAttempt ? kept.required() : kept).encode(over));
            if (laterAttempt) {
                work.publications().again();
            }
        }
    }
}
