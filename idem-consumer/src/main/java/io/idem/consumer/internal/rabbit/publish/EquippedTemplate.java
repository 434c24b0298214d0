package io.idem.consumer.internal.rabbit.publish;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.rabbit.message.RabbitConnections;
import io.idem.internal.method.HiddenMembers;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessagePostProcessor;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.connection.CorrelationData;
import org.springframework.amqp.rabbit.core.ChannelCallback;
import org.springframework.amqp.rabbit.core.CorrelationDataPostProcessor;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.expression.Expression;
import org.springframework.util.ReflectionUtils;

/**
 * A template with idem's parts in it: its retries, its post-processor of {@link CorrelationData}, and the first and the last
 * of its other post-processors. The setters of the template may take them out again, so each send looks for them.
 * Thread-safe.
 *
 * @param application needed when a message is kept, or the broker returns it
 * @param headers writes the headers
 */
public record EquippedTemplate(
        RabbitTemplate template, Supplier<RabbitConnections> application, MessagePostProcessor headers) {

    public EquippedTemplate {
        // Only a message that is kept or sent again needs them: a version without them is refused before there is one.
        connections(template);
        execute();
        doSend();
    }

    /**
     * Puts in the parts that the template does not have, around the application's own. Does nothing to mocks, and to proxies
     * whose targets are made later.
     *
     * @return whether it had none
     */
    public boolean equip() {
        if (HiddenMembers.read(template, "dedicatedChannels") == null) {
            return false;
        }
        Object retries = HiddenMembers.read(template, "retryTemplate");
        Object correlation = HiddenMembers.read(template, "correlationDataPostProcessor");
        if (!(retries instanceof InboxSends sends && sends.equipped.equals(this))) {
            template.setRetryTemplate(new InboxSends(this, retries));
        }
        AwaitedPublications awaited = new AwaitedPublications(this, (CorrelationDataPostProcessor) correlation);
        Collection<MessagePostProcessor> processors = template.getBeforePublishPostProcessors();
        if (!awaited.equals(correlation) || processors == null || !processors.containsAll(List.of(awaited, headers))) {
            Stream<MessagePostProcessor> own = Stream.ofNullable(processors)
                    .flatMap(Collection::stream)
                    .filter(each -> each.getClass() != awaited.getClass() && each.getClass() != headers.getClass());
            template.setBeforePublishPostProcessors(
                    Stream.concat(own, Stream.of(awaited, headers)).toArray(MessagePostProcessor[]::new));
            template.setCorrelationDataPostProcessor(awaited);
        }
        return !(retries instanceof InboxSends) && !(correlation instanceof AwaitedPublications);
    }

    /**
     * Sends a message that a template has begun to send, once more. What a subclass changes before it
     * sends is changed already.
     */
    void resend(RabbitDestination to, Message message, CorrelationData sent) {
        ChannelCallback<Message> send = channel -> {
            try {
                boolean mandatory = template.isMandatoryFor(message);
                doSend().invoke(template, channel, to.exchange(), to.routingKey(), message, mandatory, sent);
            } catch (Throwable failure) {
                ReflectionUtils.rethrowException(failure);
            }
            return message;
        };
        ReflectionUtils.invokeMethod(execute(), template, send, connection(message));
    }

    private static Method execute() {
        return HiddenMembers.method(RabbitTemplate.class, "execute", ChannelCallback.class, ConnectionFactory.class);
    }

    /** Returns the method of {@link RabbitTemplate} itself, past one that overrides it. */
    private static MethodHandle doSend() {
        Method method = HiddenMembers.method(
                RabbitTemplate.class,
                "doSend",
                Channel.class,
                String.class,
                String.class,
                Message.class,
                boolean.class,
                CorrelationData.class);
        try {
            return MethodHandles.privateLookupIn(RabbitTemplate.class, MethodHandles.lookup())
                    .unreflectSpecial(method, RabbitTemplate.class);
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the connection over which the template would send a message. */
    ConnectionFactory connection(Message message) {
        Object selector = HiddenMembers.read(template, "sendConnectionFactorySelectorExpression");
        return (ConnectionFactory) Objects.requireNonNull(
                ReflectionUtils.invokeMethod(connections(template), template, selector, message));
    }

    private static Method connections(RabbitTemplate template) {
        return HiddenMembers.method(
                template.getClass(), "obtainTargetConnectionFactory", Expression.class, Object.class);
    }

    /** Returns the channels that the template uses on their threads. */
    @SuppressWarnings("unchecked")
    ThreadLocal<@Nullable Channel> dedicatedChannels() {
        return (ThreadLocal<@Nullable Channel>) member("dedicatedChannels");
    }

    Object member(String field) {
        return Objects.requireNonNull(HiddenMembers.read(template, field));
    }
}
