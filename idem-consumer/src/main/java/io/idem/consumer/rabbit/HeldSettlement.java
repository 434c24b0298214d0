package io.idem.consumer.rabbit;

import com.rabbitmq.client.Channel;
import io.idem.consumer.delivery.Delivery;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.util.ClassUtils;

/**
 * Keeps a listener's own settlement of one delivery back until it may go out: an acknowledgement before COMPLETE would lose
 * the message if the record could not be written. Thread-safe: a listener may settle from another thread.
 */
final class HeldSettlement implements InvocationHandler {

    private static final Logger LOG = LoggerFactory.getLogger(HeldSettlement.class);

    private enum State {
        HOLDING,
        OPEN,
        ONCE,
        CLOSED
    }

    private final Channel channel;
    private final long tag;
    private final Delivery delivery;
    private State state = State.HOLDING;
    private @Nullable Settlement held;

    HeldSettlement(Channel channel, long tag, Delivery delivery) {
        this.channel = channel;
        this.tag = tag;
        this.delivery = delivery;
    }

    /** The channel for the listener: the real one in everything else. */
    static Channel channel(HeldSettlement held) {
        Class<?> type = held.channel.getClass();
        return (Channel) Proxy.newProxyInstance(type.getClassLoader(), ClassUtils.getAllInterfacesForClass(type), held);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Settlement settlement = arguments == null ? null : Settlement.of(method.getName(), arguments);
        if (settlement == null || !settlement.covers(tag)) {
            return call(method, arguments);
        }
        settle(settlement);
        return null;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(channel, arguments);
        } catch (InvocationTargetException failed) {
            throw failed.getCause() == null ? failed : failed.getCause();
        }
    }

    private synchronized void settle(Settlement settlement) throws IOException {
        switch (state) {
            case HOLDING -> {
                held = settlement;
                if (!settlement.acknowledges()) {
                    delivery.handBack();
                }
            }
            case OPEN -> settlement.send(channel);
            case ONCE -> {
                state = State.CLOSED;
                settlement.send(channel);
            }
            case CLOSED -> LOG.debug("{} comes after delivery {} was settled and is ignored", settlement, tag);
        }
    }

    /** Whether what is kept back is an acknowledgement. */
    synchronized boolean isAcknowledgement() {
        return held != null && held.acknowledges();
    }

    /** Forgets what an earlier attempt of the listener kept back. */
    synchronized void drop() {
        held = null;
    }

    /**
     * Sends what was kept back; later settlements go out at once. Nothing where somebody else has settled: late work may end
     * while the thread that started it is still on its way back.
     */
    synchronized void release() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        state = State.OPEN;
        if (held != null) {
            held.send(channel);
        }
    }

    /**
     * Lets the next settlement through, the listener adapter's, and none after it: to settle twice closes the channel. An acknowledgement
     * that was kept back is forgotten, since the adapter gives one; a message that the listener handed back goes back at once.
     */
    synchronized void handOver() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        Settlement said = held;
        held = null;
        if (said == null || said.acknowledges()) {
            state = State.ONCE;
        } else {
            state = State.CLOSED;
            said.send(channel);
        }
    }

    /** Forgets what was kept back and ignores later settlements: somebody else settles. */
    synchronized void close() {
        state = State.CLOSED;
        held = null;
    }

    /** One of the channel's three ways to settle. */
    private record Settlement(Kind kind, long upTo, boolean multiple, boolean requeue) {

        private enum Kind {
            ACK,
            NACK,
            REJECT
        }

        static @Nullable Settlement of(String method, Object[] arguments) {
            return switch (method) {
                case "basicAck" -> new Settlement(Kind.ACK, (long) arguments[0], (boolean) arguments[1], false);
                case "basicNack" ->
                    new Settlement(Kind.NACK, (long) arguments[0], (boolean) arguments[1], (boolean) arguments[2]);
                case "basicReject" -> new Settlement(Kind.REJECT, (long) arguments[0], false, (boolean) arguments[1]);
                default -> null;
            };
        }

        /** Tag 0 with {@code multiple} means all that are outstanding. */
        boolean covers(long tag) {
            return upTo == tag || (multiple && (upTo == 0 || upTo > tag));
        }

        boolean acknowledges() {
            return kind == Kind.ACK;
        }

        void send(Channel channel) throws IOException {
            switch (kind) {
                case ACK -> channel.basicAck(upTo, multiple);
                case NACK -> channel.basicNack(upTo, multiple, requeue);
                case REJECT -> channel.basicReject(upTo, requeue);
            }
        }
    }
}
