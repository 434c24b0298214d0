package io.idem.consumer.internal.rabbit.publish;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.batch.BoundContexts;
import io.idem.consumer.internal.delivery.Probe;
import io.idem.consumer.internal.delivery.PropagatedHeaders;
import java.lang.StackWalker.StackFrame;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.AmqpException;
import org.springframework.amqp.UncategorizedAmqpException;
import org.springframework.amqp.core.Correlation;
import org.springframework.amqp.rabbit.connection.PublisherCallbackChannel;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryTemplate;
import org.springframework.core.retry.Retryable;

/**
 * Gives a template the channel on which it sends. While messages are kept, that is one that hands them to {@link
 * AwaitedPublications} instead of a broker; the template's settings for connections, confirms and transactions do not
 * matter then. It takes the place of the template's retries, since a template runs all that it does in them, and goes on
 * to the application's own. Thread-safe.
 */
final class InboxSends extends RetryTemplate {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** The innermost call of the thread. */
    private static final ThreadLocal<@Nullable Tries> TRIES = new ThreadLocal<>();

    /** The channel of all messages that are kept; has no state. */
    static final Channel INBOX = (Channel) Proxy.newProxyInstance(
            PublisherCallbackChannel.class.getClassLoader(),
            new Class<?>[] {PublisherCallbackChannel.class},
            InboxSends::called);

    /** The call of a template that is the innermost one of the calling thread. */
    enum Call {
        /** A send, which is kept or awaited. */
        SEND,
        /** Another one that runs in the retries, such as a request whose reply the template awaits. */
        OTHER,
        /** One that publishes without the retries: a request with direct reply-to. */
        PAST_RETRIES
    }

    final EquippedTemplate equipped;
    private final @Nullable RetryTemplate own;
    private final ThreadLocal<@Nullable Channel> dedicated;

    /** Makes the sends of a template, which uses a channel of the calling thread where there is one. */
    InboxSends(EquippedTemplate equipped, @Nullable Object retries) {
        this.equipped = equipped;
        this.own = retries instanceof InboxSends others ? others.own : (RetryTemplate) retries;
        this.dedicated = equipped.dedicatedChannels();
        // A template asks for the thread's channel only while it knows of one.
        ((AtomicInteger) equipped.member("activeTemplateCallbacks")).incrementAndGet();
    }

    static Call call(@Nullable Correlation correlation) {
        if (correlation instanceof RabbitHeaders.Awaited) {
            return Call.SEND;
        }
        List<StackFrame> frames =
                STACK.walk(all -> all.filter(frame -> frame.getDeclaringClass() == RabbitTemplate.class)
                        .toList());
        // Each method of a spy calls itself.
        List<String> calls = IntStream.range(0, frames.size())
                .filter(i -> i == 0 || !isSame(frames.get(i - 1), frames.get(i)))
                .mapToObj(i -> frames.get(i).getMethodName())
                .toList();
        int execute = calls.indexOf("execute");
        if (execute < 0 || calls.subList(0, execute).lastIndexOf("doSend") > calls.indexOf("doSend")) {
            return Call.PAST_RETRIES;
        }
        return calls.indexOf("send") == execute + 1 ? Call.SEND : Call.OTHER;
    }

    /** Runs an act when the message of the present call has been sent: one that was not is not awaited. */
    static void onceSent(Runnable act) {
        Tries tries = TRIES.get();
        if (tries == null) {
            act.run();
        } else {
            tries.sent = act;
        }
    }

    /** Returns the headers of the next message of the present try: those that it had in the tries before. */
    static PropagatedHeaders headers(Supplier<PropagatedHeaders> next) {
        Tries tries = TRIES.get();
        if (tries == null) {
            return next.get();
        }
        if (tries.position == tries.headers.size()) {
            tries.headers.add(next.get());
        }
        return tries.headers.get(tries.position++);
    }

    private static boolean isSame(StackFrame callee, StackFrame caller) {
        return callee.getMethodName().equals(caller.getMethodName())
                && callee.getDescriptor().equals(caller.getDescriptor());
    }

    /** Begins on the inbox where the thread works: only post-processors get the message, and divert it from there. */
    @Override
    public <R extends @Nullable Object> R execute(Retryable<R> call) throws RetryException {
        AwaitedPublications.Publication outer = AwaitedPublications.PUBLISHING.get();
        AwaitedPublications.PUBLISHING.remove();
        Tries outerTries = TRIES.get();
        Tries tries = new Tries();
        TRIES.set(tries);
        equipped.equip();
        Retryable<R> toInbox = () -> on(INBOX, call);
        Retryable<R> toBroker = () -> on(null, call);
        try {
            R result = BoundContexts.isBound() && call(null) == Call.SEND
                    ? diverted(toInbox, () -> retried(toBroker))
                    : retried(() -> diverted(toBroker, toInbox));
            tries.sent.run();
            return result;
        } catch (UncategorizedAmqpException wrapped) {
            throw wrapped.getCause() instanceof IllegalStateException refused && BoundContexts.isBound()
                    ? refused
                    : wrapped;
        } catch (RetryException | RuntimeException | Error failure) {
            throw failure;
        } catch (Throwable checked) {
            throw new UncategorizedAmqpException(checked);
        } finally {
            AwaitedPublications.PUBLISHING.set(outer);
            TRIES.set(outerTries);
        }
    }

    private <R extends @Nullable Object> R retried(Retryable<R> call) throws Throwable {
        return own == null ? call.execute() : own.execute(call);
    }

    @SuppressWarnings("NullAway") // A send returns null.
    private static <R extends @Nullable Object> R diverted(Retryable<R> first, Retryable<R> second) throws Throwable {
        try {
            return first.execute();
        } catch (DivertedException diverted) {
            if (diverted.instead == null) {
                return second.execute();
            }
            diverted.instead.run();
            return null;
        }
    }

    /** Calls with the inbox as the thread's channel, or without it; a probe ends before a broker is called. */
    @SuppressWarnings("NullAway") // A send returns null.
    private <R extends @Nullable Object> R on(@Nullable Channel channel, Retryable<R> call) throws Throwable {
        if (channel == null && Probe.endsAt(this)) {
            return null;
        }
        Channel before = dedicated.get();
        dedicated.set(channel == null && before != INBOX ? before : channel);
        Tries tries = Objects.requireNonNull(TRIES.get());
        tries.position = 0;
        try {
            return call.execute();
        } finally {
            dedicated.set(before);
            AwaitedPublications.Publication ended = AwaitedPublications.PUBLISHING.get();
            AwaitedPublications.PUBLISHING.remove();
            if (ended != null) {
                ended.restore();
            }
        }
    }

    /** What a call keeps from each of its tries. Confined to its thread. */
    private static final class Tries {

        /** The act that follows when the message is sent; set by the last try. */
        private Runnable sent = () -> {};

        /** The headers of the messages, in their order: a try repeats those before it. */
        private final List<PropagatedHeaders> headers = new ArrayList<>();

        private int position;
    }

    private static @Nullable Object called(Object channel, Method method, Object @Nullable [] arguments) {
        Object[] given = arguments == null ? new Object[0] : arguments;
        return switch (method.getName()) {
            case "basicPublish" -> {
                Objects.requireNonNull(AwaitedPublications.PUBLISHING.get(), "published past RabbitTemplate.doSend")
                        .keep((BasicProperties) given[given.length - 2], (byte[]) given[given.length - 1]);
                yield null;
            }
            case "addListener", "txCommit" -> null;
            case "isOpen" -> true;
            case "getNextPublishSeqNo" -> 0L;
            case "getPendingConfirmsCount" -> 0;
            case "expire" -> List.of();
            case "hashCode" -> System.identityHashCode(channel);
            case "equals" -> channel == given[0];
            case "toString" -> "inbox";
            default -> throw new UnsupportedOperationException("No channel is open where messages are kept: " + method);
        };
    }

    /** The message goes another way. Is seen only where the template has lost its {@link InboxSends}. */
    static final class DivertedException extends AmqpException {

        private static final long serialVersionUID = 1;

        private final transient @Nullable Runnable instead;

        /**
         * Diverts the message.
         *
         * @param instead sends it; null for the same call on the other channel: the broker's, or the inbox
         */
        DivertedException(@Nullable Runnable instead) {
            super(
                    "A message of idempotent work is not sent, because its RabbitTemplate is without idem's retries. Either its"
                            + " setRetryTemplate was called since the last message: the next attempt sends it. Set the retries"
                            + " where the bean is made. Or it is no bean and has the post-processors of one: make it a bean");
            this.instead = instead;
        }

        @Override
        public Throwable fillInStackTrace() {
            return this;
        }
    }
}
