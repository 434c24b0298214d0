package io.idem.consumer.internal.rabbit.batch;

import com.rabbitmq.client.Channel;
import io.idem.consumer.internal.delivery.BatchReport;
import io.idem.consumer.internal.delivery.OpenWork;
import io.idem.consumer.internal.rabbit.message.ChannelDeliveries;
import io.idem.consumer.internal.rabbit.message.ChannelSettlement;
import io.idem.consumer.internal.rabbit.message.HeldRabbitAck;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.core.Message;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * The channel as a batch listener gets it: messages are settled by idem alone, after COMPLETE. Where the listener
 * acknowledges, messages that it has not acknowledged when it returns are left open. Notes which messages the listener
 * adapter rejects because it cannot convert them: it leaves them out and calls the listener with the others.
 * Thread-safe.
 */
final class BatchChannel implements InvocationHandler, BatchReport {

    private static final Logger LOG = LoggerFactory.getLogger(BatchChannel.class);

    private final Channel channel;
    private final List<Message> messages;
    private final @Nullable ChannelDeliveries deliveries;
    private final Set<Long> acknowledged = new HashSet<>();
    private final Set<Long> dropped = new HashSet<>();
    private boolean called;
    private boolean returned;

    /**
     * Makes the channel of one hand-over.
     *
     * @param messages the messages of the hand-over
     * @param deliveries of the channel, where the listener acknowledges; null where idem does
     */
    BatchChannel(Channel channel, List<Message> messages, @Nullable ChannelDeliveries deliveries) {
        this.deliveries = deliveries;
        this.channel = channel;
        this.messages = messages;
    }

    /** Returns a proxy of the real channel in all calls that do not settle. */
    Channel forListener() {
        Class<?> type = channel.getClass();
        return (Channel) Proxy.newProxyInstance(type.getClassLoader(), ClassUtils.getAllInterfacesForClass(type), this);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        ChannelSettlement settlement = arguments == null ? null : ChannelSettlement.of(method.getName(), arguments);
        if (settlement != null && deliveries != null && settles(settlement)) {
            deliveries.settleOpen(settlement);
            return null;
        }
        if (arguments != null) {
            switch (method.getName()) {
                case "basicAck" -> {
                    LOG.debug("Message {} is acknowledged by idem, once it is recorded as done", arguments[0]);
                    return null;
                }
                case "basicNack" -> throw refused();
                case "basicReject" -> {
                    drop((long) arguments[0], (boolean) arguments[1]);
                    return null;
                }
                default -> {
                    // Not a call that settles.
                }
            }
        }
        return AopUtils.invokeJoinpointUsingReflection(channel, method, arguments == null ? new Object[0] : arguments);
    }

    /**
     * Notes an acknowledgement before the listener returns, which covers earlier batches too. Returns whether these may
     * be settled now.
     */
    private synchronized boolean settles(ChannelSettlement settlement) {
        if (!returned && settlement.acknowledges()) {
            messages.stream()
                    .map(message -> message.getMessageProperties().getDeliveryTag())
                    .filter(settlement::covers)
                    .forEach(acknowledged::add);
        }
        return returned || settlement.acknowledges();
    }

    /** Leaves the messages to the listener that it has not acknowledged. */
    @Override
    public synchronized List<Integer> leaveOpen(Function<List<Integer>, OpenWork> work) {
        returned = true;
        if (deliveries == null) {
            return List.of();
        }
        List<Long> reached = messages.stream()
                .map(message -> message.getMessageProperties().getDeliveryTag())
                .filter(tag -> !dropped.contains(tag))
                .toList();
        List<Integer> open = new ArrayList<>();
        for (int i = 0; i < reached.size(); i++) {
            if (!acknowledged.contains(reached.get(i))) {
                open.add(i);
                HeldRabbitAck.open(channel, reached.get(i), deliveries, work.apply(List.of(i)));
            }
        }
        return open;
    }

    /** Notes a rejected message. A retry in place converts once more, and rejects once more. */
    private synchronized void drop(long tag, boolean requeue) {
        if (requeue || (called && !dropped.contains(tag))) {
            throw refused();
        }
        dropped.add(tag);
    }

    private static IllegalStateException refused() {
        return new IllegalStateException(
                "The messages of a batch are settled by idem: a listener cannot hand single ones back;"
                        + " throw an exception, which hands all of them back, or listen to single messages");
    }

    @Override
    public int failedAt(Throwable failure) {
        return -1;
    }

    /**
     * Returns whether the listener gets a message, and notes that it is called: later calls of the channel are its own.
     */
    @Override
    public synchronized boolean reached(int index) {
        called = true;
        return !dropped.contains(messages.get(index).getMessageProperties().getDeliveryTag());
    }
}
