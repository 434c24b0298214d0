package io.idem.workshop.chaos.stage;

import com.rabbitmq.client.BuiltinExchangeType;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningAmqp.Flavour;
import io.idem.servers.qpid.QpidDeclarations;
import io.idem.workshop.chaos.worker.Lane;
import io.idem.workshop.chaos.worker.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The exchanges and queues of the lanes on the AMQP broker, through a plain client past the proxy. Every call opens a
 * connection of its own, because the broker may have been restarted. Thread-safe.
 */
public final class RabbitTopology {

    private static final int PERSISTENT = 2;
    private static final long CONFIRM_MILLIS = 30_000;

    private final RunningAmqp broker;
    private final int deliveryLimit;

    RabbitTopology(RunningAmqp broker, int deliveryLimit) {
        this.broker = broker;
        this.deliveryLimit = deliveryLimit;
    }

    private interface Use<T> {
        T on(Channel channel) throws Exception;
    }

    private <T> T use(Use<T> use) {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setAutomaticRecoveryEnabled(false);
        try {
            factory.setUri(broker.uri());
            try (Connection connection = factory.newConnection("chaos");
                    Channel channel = connection.createChannel()) {
                return use.on(channel);
            }
        } catch (Exception e) {
            throw new IllegalStateException("The AMQP broker does not do it", e);
        }
    }

    private static List<Lane> lanes() {
        return Arrays.stream(Lane.values()).filter(Lane::rabbit).toList();
    }

    void declare() {
        use(channel -> {
            channel.exchangeDeclare(Names.DEAD, BuiltinExchangeType.FANOUT, true);
            channel.exchangeDeclare(Names.EXCHANGE, BuiltinExchangeType.DIRECT, true);
            if (broker.flavour() != Flavour.QPID) {
                // Qpid refuses to delete a missing queue, but a Qpid is always new.
                for (Lane lane : lanes()) {
                    channel.queueDelete(lane.id());
                }
                channel.queueDelete(Names.DEAD);
            }
            // Each look at the dead letters returns them, which counts.
            channel.queueDeclare(
                    Names.DEAD,
                    true,
                    false,
                    false,
                    arguments(Map.of("x-queue-type", "quorum", "x-delivery-limit", Integer.MAX_VALUE)));
            channel.queueBind(Names.DEAD, Names.DEAD, "");
            for (Lane lane : lanes()) {
                channel.queueDeclare(lane.id(), true, false, false, arguments(laneArguments()));
                channel.queueBind(lane.id(), Names.EXCHANGE, lane.id());
            }
            return true;
        });
    }

    private Map<String, Object> laneArguments() {
        return Map.of(
                "x-queue-type", "quorum",
                "x-delivery-limit", deliveryLimit,
                "x-dead-letter-exchange", Names.DEAD,
                "x-dead-letter-strategy", "at-least-once",
                "x-overflow", "reject-publish");
    }

    private Map<String, Object> arguments(Map<String, Object> ofRabbitMq) {
        return broker.flavour() == Flavour.QPID ? QpidDeclarations.queueArguments(ofRabbitMq) : ofRabbitMq;
    }

    /** Unbinds a lane's queue from the exchange, so that its messages cannot be routed. */
    public void unbind(Lane lane) {
        use(channel -> channel.queueUnbind(lane.id(), Names.EXCHANGE, lane.id()));
    }

    /** Binds a lane's queue to the exchange again. */
    public void bind(Lane lane) {
        use(channel -> channel.queueBind(lane.id(), Names.EXCHANGE, lane.id()));
    }

    /** Returns the number of messages in a queue. */
    public long depth(String queue) {
        return use(channel -> channel.messageCount(queue));
    }

    /** Publishes messages with these keys past the intake; returns when all are confirmed. */
    public void publish(Lane lane, List<String> keys, String body) {
        use(channel -> {
            channel.confirmSelect();
            for (String key : keys) {
                channel.basicPublish(
                        Names.EXCHANGE,
                        lane.id(),
                        true,
                        OutsideMessages.properties(key, PERSISTENT),
                        OutsideMessages.bytes(body));
            }
            channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
            return true;
        });
    }

    /** Puts all dead letters back into their queues and returns how many there were. */
    public int redrive() {
        return use(channel -> {
            channel.confirmSelect();
            int count = 0;
            for (GetResponse dead = channel.basicGet(Names.DEAD, false);
                    dead != null;
                    dead = channel.basicGet(Names.DEAD, false)) {
                String lane = OutsideMessages.origin(dead);
                channel.basicPublish(Names.EXCHANGE, lane, true, dead.getProps(), dead.getBody());
                channel.waitForConfirmsOrDie(CONFIRM_MILLIS);
                channel.basicAck(dead.getEnvelope().getDeliveryTag(), false);
                count++;
            }
            return count;
        });
    }

    /** Returns the keys of all dead letters, which stay in their queue. */
    public List<String> deadKeys() {
        return use(channel -> {
            List<String> keys = new ArrayList<>();
            // Never acknowledged: closing the channel requeues them.
            for (GetResponse dead = channel.basicGet(Names.DEAD, false);
                    dead != null;
                    dead = channel.basicGet(Names.DEAD, false)) {
                keys.add(OutsideMessages.key(dead));
            }
            return List.copyOf(keys);
        });
    }
}
