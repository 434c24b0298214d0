package io.idem.consumer.internal.rabbit.message;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.Delivery;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.delivery.OwnSettlement;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * Holds back a listener's own settlement of one delivery until it may go out: an acknowledgement before COMPLETE would
 * lose the message if the record could not be written. Thread-safe: a listener may settle from another thread, and
 * after its return.
 */
public final class HeldRabbitAck implements InvocationHandler, OwnSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(HeldRabbitAck.class);

    private enum State {
        /** The listener runs. */
        HOLDING,
        /** The listener has returned without a settlement. */
        AWAITING,
        /** A settlement goes out at once. */
        OPEN,
        /** The next settlement goes out, and none after it. */
        ONCE,
        /** The delivery is settled, or is being settled. */
        CLOSED
    }

    private final Channel channel;
    private final long tag;
    private final Delivery delivery;
    private final ChannelDeliveries deliveries;
    private State state = State.HOLDING;
    private @Nullable ChannelSettlement held;
    private @Nullable OpenWork work;

    /** Makes a delivery that is not settled together with others. */
    HeldRabbitAck(Channel channel, long tag, Delivery delivery) {
        this(channel, tag, delivery, new ChannelDeliveries(channel));
    }

    /**
     * Makes a delivery whose listener runs.
     *
     * @param deliveries of its channel; this one becomes one of them
     */
    HeldRabbitAck(Channel channel, long tag, Delivery delivery, ChannelDeliveries deliveries) {
        this.channel = channel;
        this.tag = tag;
        this.delivery = delivery;
        this.deliveries = deliveries;
        deliveries.add(this);
    }

    /** Adds a message of a batch whose listener has returned and settles it later. */
    public static void open(Channel channel, long tag, ChannelDeliveries deliveries, OpenWork work) {
        Delivery none = new Delivery(new RabbitDelivery(new Message(new byte[0]), () -> false));
        var unused = new HeldRabbitAck(channel, tag, none, deliveries).leaveOpen(work);
    }

    long tag() {
        return tag;
    }

    /** Returns the channel for the listener: the real one in all other calls. */
    static Channel channel(HeldRabbitAck held) {
        Class<?> type = held.channel.getClass();
        return (Channel) Proxy.newProxyInstance(type.getClassLoader(), ClassUtils.getAllInterfacesForClass(type), held);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        ChannelSettlement settlement = arguments == null ? null : ChannelSettlement.of(method.getName(), arguments);
        if (settlement == null) {
            return AopUtils.invokeJoinpointUsingReflection(
                    channel, method, arguments == null ? new Object[0] : arguments);
        }
        deliveries.settle(this, settlement);
        return null;
    }

    /** Holds a settlement back if the listener is still running, and returns whether it is. */
    synchronized boolean hold(ChannelSettlement settlement) {
        if (state != State.HOLDING) {
            return false;
        }
        held = settlement;
        if (!settlement.acknowledges()) {
            delivery.handBack();
        }
        return true;
    }

    /** Claims the settlement for the caller, if the listener has returned and no other thread settles. */
    synchronized boolean claim() {
        if (state != State.AWAITING) {
            return false;
        }
        state = State.CLOSED;
        return true;
    }

    /** Reopens a delivery that could not be settled: its listener may settle it again. */
    synchronized void leaveOpenAgain() {
        state = State.AWAITING;
    }

    /**
     * Ends the work that was left open, if there is any. Blocks.
     *
     * @throws IllegalStateException if it could not be recorded as done
     */
    void endWork(boolean done) {
        OpenWork open = work();
        if (open != null) {
            if (done) {
                open.complete();
            } else {
                open.release();
            }
        }
    }

    private synchronized @Nullable OpenWork work() {
        return work;
    }

    /** Sends a settlement for which no record is to be written: the adapter's, or a second one of the listener. */
    void settleAgain(ChannelSettlement settlement) throws IOException {
        if (maySend()) {
            settlement.send(channel);
            return;
        }
        LOG.debug("{} of {} comes after it was settled and is not sent", settlement, delivery);
        endWork(settlement.acknowledges());
    }

    private synchronized boolean maySend() {
        boolean may = state == State.OPEN || state == State.ONCE;
        if (state == State.ONCE) {
            state = State.CLOSED;
        }
        return may;
    }

    @Override
    public synchronized boolean isSaid() {
        return held != null;
    }

    @Override
    public boolean leaveOpen(OpenWork open) {
        synchronized (this) {
            if (state != State.HOLDING || held != null) {
                return false;
            }
            state = State.AWAITING;
            work = open;
        }
        if (deliveries.hasEnded()) {
            open.leave();
        }
        return true;
    }

    /** Ends the delivery, because the broker has taken the message back. */
    void channelEnded() {
        OpenWork open = work();
        if (open != null) {
            open.leave();
        }
    }

    /** Returns whether the settlement that is held back is an acknowledgement. */
    synchronized boolean isAcknowledgement() {
        return held != null && held.acknowledges();
    }

    /** Forgets the settlement of an earlier attempt of the listener. */
    synchronized void drop() {
        held = null;
    }

    /**
     * Sends the settlement that was held back; later ones go out at once. A listener that has not settled settles
     * later. Does nothing if another thread has settled: asynchronous work may end while the thread that started it is
     * still on its way back.
     */
    void release() throws IOException {
        ChannelSettlement said;
        synchronized (this) {
            if (state != State.HOLDING) {
                return;
            }
            said = held;
            state = said == null ? State.AWAITING : State.OPEN;
        }
        if (said != null) {
            deliveries.settleReturned(this, said);
        }
    }

    /**
     * Lets the next settlement through, the listener adapter's, and none after it: a second settlement closes the
     * channel. An acknowledgement that was held back is forgotten, since the adapter gives one; a message that the
     * listener handed back goes back at once.
     */
    synchronized void handOver() throws IOException {
        if (state == State.CLOSED) {
            return;
        }
        ChannelSettlement said = held;
        held = null;
        if (said == null || said.acknowledges()) {
            state = State.ONCE;
        } else {
            state = State.CLOSED;
            said.send(channel);
        }
    }

    /**
     * Forgets the settlement that was held back and sends no later one: another object settles, and calls
     * {@link #settled}.
     */
    synchronized void close() {
        state = State.CLOSED;
        held = null;
    }

    /** Notes that the settlement was sent. */
    void settled() {
        deliveries.remove(this);
    }
}
