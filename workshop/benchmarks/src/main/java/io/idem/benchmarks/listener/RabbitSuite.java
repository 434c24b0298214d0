package io.idem.benchmarks.listener;

import io.idem.benchmarks.Parts;
import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.report.Figures;
import io.idem.consumer.IdempotencyHeaders;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageDeliveryMode;
import org.springframework.amqp.core.Queue;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitAdmin;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures RabbitMQ listeners with one consumer; the messages are in the queue before the listener starts. Uses the
 * embedded broker unless a RabbitMQ is configured. Listeners that write a row have a PostgreSQL of their own.
 */
public final class RabbitSuite implements Suite {

    private static final int MANY = 30_000;
    private static final int SOME = 15_000;
    private static final int FEW = 1_500;
    /** The largest number of messages in the queue: the embedded broker keeps them in a small memory. */
    private static final int MOST_IN_QUEUE = 60_000;

    private static final byte[] PAYLOAD = new byte[200];
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String SIMPLE = "spring.rabbitmq.listener.simple.";

    private static final int SECONDS = 56;
    private static final int SECONDS_WITH_INBOX = 30;

    private final Servers servers;
    private final boolean withInbox;
    private final Experience experience = new Experience();

    private RabbitSuite(Servers servers, boolean withInbox) {
        this.servers = servers;
        this.withInbox = withInbox;
    }

    /** Returns the suite of listeners with Redis as the store. */
    public static RabbitSuite withRedis(Servers servers) {
        return new RabbitSuite(servers, false);
    }

    /** Returns the suite of listeners with the inbox alone, whose work writes a row. */
    public static RabbitSuite withInboxAlone(Servers servers) {
        return new RabbitSuite(servers, true);
    }

    @Override
    public String name() {
        return withInbox ? "rabbit-inbox" : "rabbit";
    }

    @Override
    public int seconds() {
        return withInbox ? SECONDS_WITH_INBOX : SECONDS;
    }

    @Override
    public int enoughRounds() {
        return EVERY_ROUND;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        if (withInbox) {
            onDatabase(figures, order);
        } else {
            onRedis(figures, order);
        }
    }

    private void onRedis(Figures figures, Random order) throws Exception {
        List<Part> parts = List.of(
                new Part("AMQP batch of 200: bare", RabbitListeners.BareBatch.class, MANY, true),
                new Part("AMQP batch of 200: IDEM", RabbitListeners.GuardedBatch.class, MANY, true),
                new Part("AMQP message: bare", RabbitListeners.BareMessage.class, MANY, false),
                new Part("AMQP message: IDEM", RabbitListeners.GuardedMessage.class, SOME, false),
                new Part("AMQP message, 1 ms: bare", RabbitListeners.BareMillisecond.class, FEW, false),
                new Part("AMQP message, 1 ms: IDEM", RabbitListeners.GuardedMillisecond.class, FEW, false));
        new Parts(order)
                .each(parts, part -> measure(part, servers.settings(), figures))
                .end();
    }

    private void onDatabase(Figures figures, Random order) throws Exception {
        List<Part> all = List.of(
                new Part("AMQP message, 1 ms and a row: bare", RabbitListeners.BareRow.class, FEW, false),
                new Part("AMQP message, 1 ms and a row: IDEM", RabbitListeners.GuardedRow.class, FEW, false));
        try (ListenerDatabase database = new ListenerDatabase()) {
            new Parts(order)
                    .each(all, part -> measure(part, database.settings(servers), figures))
                    .end();
        }
    }

    private void measure(Part part, Map<String, Object> places, Figures figures) throws Exception {
        warmUp(part, places);
        run(part, places, new Meter(part.messages(), part.messages())).report(part.name(), figures);
    }

    /** Runs the warm-up that batch listeners need in addition to that of every measurement. */
    private void warmUp(Part part, Map<String, Object> places) throws Exception {
        int missing = part.batch() ? experience.missing(part.name(), part.messages()) : 0;
        for (int left = missing; left > 0; left -= MOST_IN_QUEUE) {
            run(part, places, new Meter(0, Math.min(left, MOST_IN_QUEUE)));
        }
    }

    /** Runs a listener; returns when it has handled all messages that the meter expects. */
    private Meter run(Part part, Map<String, Object> places, Meter meter) throws Exception {
        servers.redis().command("FLUSHALL");
        CachingConnectionFactory connection = connection();
        RabbitAdmin admin = new RabbitAdmin(connection);
        Queue queue = new Queue("bench-" + UUID.randomUUID(), false);
        admin.declareQueue(queue);
        try {
            send(new RabbitTemplate(connection), queue, meter.messages());
            try (ConfigurableApplicationContext application =
                    Listening.start(part.listener(), meter, settings(places, queue, part.batch()))) {
                meter.await();
            }
            experience.saw(part.name(), meter.messages());
            return meter;
        } finally {
            admin.deleteQueue(queue.getName());
            connection.destroy();
        }
    }

    private CachingConnectionFactory connection() {
        CachingConnectionFactory factory = new CachingConnectionFactory(
                servers.amqp().host(), servers.amqp().port());
        factory.setUsername(servers.amqp().username());
        factory.setPassword(servers.amqp().password());
        factory.setVirtualHost(servers.amqp().virtualHost());
        factory.setPublisherConfirmType(CachingConnectionFactory.ConfirmType.SIMPLE);
        return factory;
    }

    /** Publishes messages; returns when the broker has confirmed all of them. */
    private static void send(RabbitTemplate template, Queue queue, int messages) {
        String series = UUID.randomUUID().toString();
        template.invoke(channel -> {
            IntStream.range(0, messages)
                    .forEach(number -> channel.send(
                            "",
                            queue.getName(),
                            MessageBuilder.withBody(PAYLOAD)
                                    .setDeliveryMode(MessageDeliveryMode.NON_PERSISTENT)
                                    .setHeader(IdempotencyHeaders.KEY, series + number)
                                    .build()));
            channel.waitForConfirmsOrDie(PATIENCE.toMillis());
            return messages;
        });
    }

    private Map<String, Object> settings(Map<String, Object> places, Queue queue, boolean batch) {
        Map<String, Object> settings = new HashMap<>(places);
        settings.put("spring.rabbitmq.host", servers.amqp().host());
        settings.put("spring.rabbitmq.port", servers.amqp().port());
        settings.put("spring.rabbitmq.username", servers.amqp().username());
        settings.put("spring.rabbitmq.password", servers.amqp().password());
        settings.put("spring.rabbitmq.virtual-host", servers.amqp().virtualHost());
        settings.put("bench.queue", queue.getName());
        settings.put(SIMPLE + "prefetch", "250");
        if (batch) {
            settings.put(SIMPLE + "consumer-batch-enabled", "true");
            settings.put(SIMPLE + "batch-size", "200");
        }
        return settings;
    }

    private record Part(String name, Class<?> listener, int messages, boolean batch) implements Parts.Part {}
}
