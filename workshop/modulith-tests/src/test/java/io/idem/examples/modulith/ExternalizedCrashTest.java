package io.idem.examples.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.consumer.IdempotencyHeaders;
import io.idem.servers.AmqpServers;
import io.idem.servers.KafkaServers;
import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningKafka;
import io.idem.servers.ServerOptions;
import io.idem.servers.process.ChildJvm;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.modulith.events.IncompleteEventPublications;

/**
 * Events that leave the service, and come back to it, while its process is killed before a publication is completed.
 * Spring Modulith submits the publication again when the service starts.
 */
@Tag("extended")
class ExternalizedCrashTest {

    private static final String KEY = "order-placed/o1";
    private static final String REPUBLISH = "--spring.modulith.events.republish-outstanding-events-on-restart=true";

    private final ShopDatabase database = new ShopDatabase();

    @BeforeAll
    static void bePatient() {
        Awaitility.setDefaultTimeout(ChildJvm.LONGEST_START);
    }

    @AfterAll
    static void end() {
        Awaitility.reset();
    }

    private List<String> on(RunningKafka broker) {
        return Stream.concat(
                        database.settings().stream(),
                        Stream.of(
                                "--spring.kafka.bootstrap-servers=" + broker.bootstrapServers(),
                                "--spring.kafka.consumer.auto-offset-reset=earliest"))
                .toList();
    }

    private List<String> on(RunningAmqp broker) {
        return Stream.concat(
                        database.settings().stream(),
                        Stream.of(
                                ShopMain.WITHOUT_KAFKA,
                                "--spring.rabbitmq.publisher-confirm-type=correlated",
                                "--spring.rabbitmq.publisher-returns=true",
                                "--spring.rabbitmq.host=" + broker.host(),
                                "--spring.rabbitmq.port=" + broker.port(),
                                "--spring.rabbitmq.username=" + broker.username(),
                                "--spring.rabbitmq.password=" + broker.password(),
                                "--spring.rabbitmq.virtual-host=" + broker.virtualHost()))
                .toList();
    }

    /** Places an order and kills the service when its goods are shipped, before it completes a publication. */
    private void placeAndKill(Class<?> listener, List<String> settings, String standstill) {
        try (ChildJvm child = ChildJvm.of(ShopMain.class.getName())
                .named("shop")
                .arguments(listener.getName())
                .arguments(settings.toArray(String[]::new))
                .arguments("--shop.order=o1", "--shop.stands-still-before=" + standstill)
                .start()) {
            await("the shipment, or an end of the process that says " + child.log())
                    .until(() -> !child.isAlive() || !database.shipments().isEmpty());
            child.kill9();
        }
        assertThat(database.shipments()).containsExactly("o1");
        assertThat(database.incomplete()).isPositive();
    }

    /** Starts the service, which submits the publication again, and kills it before the listener begins. */
    private void resubmitAndKill(Class<?> listener, List<String> settings) {
        try (ChildJvm child = ChildJvm.of(ShopMain.class.getName())
                .named("shop-again")
                .arguments(listener.getName())
                .arguments(settings.toArray(String[]::new))
                .arguments(REPUBLISH, "--shop.stands-still-before=", "--shop.stands-still-in=markProcessing")
                .start()) {
            await("the resubmission, or an end of the process that says " + child.log())
                    .until(() -> !child.isAlive() || database.resubmitted() > 0);
            child.kill9();
        }
        assertThat(database.resubmitted()).isPositive();
    }

    private static ConfigurableApplicationContext restart(Class<?> listener, List<String> settings, String... more) {
        List<String> all = new ArrayList<>(settings);
        all.add(REPUBLISH);
        all.addAll(List.of(more));
        return ShopMain.run(List.of(listener), all.toArray(String[]::new));
    }

    /** A later order is behind all messages of the first one. */
    private void assertShippedOnce(ConfigurableApplicationContext shop) {
        await().until(() -> database.incomplete() == 0);
        shop.getBean(Orders.class).place("o2", "desk");
        await().until(() -> database.shipments().contains("o2"));
        assertThat(database.shipments()).containsExactly("o1", "o2");
        assertThat(database.publications(ShipmentDue.class, "o1"))
                .as("runs of the listener")
                .isOne();
    }

    @Test
    void onKafkaAResubmittedEventCarriesItsKeyAndTheListenerRunsOnce() {
        try (RunningKafka broker = KafkaServers.start(ServerOptions.own());
                OrderTopic topic = OrderTopic.create(broker)) {
            placeAndKill(ShippingListener.class, on(broker), "externalize");

            try (ConfigurableApplicationContext shop = restart(ShippingListener.class, on(broker))) {
                assertShippedOnce(shop);
            }
            assertThat(topic.keys()).containsExactly(KEY, KEY, "order-placed/o2");
        }
    }

    @Test
    void anEventWhoseResubmissionDiedIsDeliveredOnceItIsStale() {
        try (RunningKafka broker = KafkaServers.start(ServerOptions.own());
                OrderTopic topic = OrderTopic.create(broker)) {
            placeAndKill(ShippingListener.class, on(broker), "externalize");
            resubmitAndKill(ShippingListener.class, on(broker));

            try (ConfigurableApplicationContext shop = restart(
                    ShippingListener.class,
                    on(broker),
                    "--spring.modulith.events.staleness.resubmitted=1s",
                    "--spring.modulith.events.staleness.check-interval=1s")) {
                await().until(() -> database.failed() > 0);
                shop.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
                assertShippedOnce(shop);
            }
            assertThat(topic.keys()).containsExactly(KEY, KEY, "order-placed/o2");
        }
    }

    @Test
    void onRabbitAResubmittedEventCarriesItsKeyAndTheListenerRunsOnce() {
        try (RunningAmqp broker = AmqpServers.start(ServerOptions.own())) {
            placeAndKill(RabbitShipping.class, on(broker), "externalize");

            try (ConfigurableApplicationContext shop = restart(RabbitShipping.class, on(broker))) {
                assertShippedOnce(shop);
            }
            assertThat(keptKeys(broker)).containsExactly(KEY, KEY, "order-placed/o2");
        }
    }

    @Test
    void anApplicationEventOfAMessageTakesEffectOnce() {
        try (RunningKafka broker = KafkaServers.start(ServerOptions.own());
                OrderTopic unused = OrderTopic.create(broker)) {
            placeAndKill(ShippingListener.class, on(broker), "Warehouse.ship");

            try (ConfigurableApplicationContext shop = restart(ShippingListener.class, on(broker))) {
                assertShippedOnce(shop);
            }
        }
    }

    private static List<Object> keptKeys(RunningAmqp broker) {
        CachingConnectionFactory connections = new CachingConnectionFactory(broker.host(), broker.port());
        connections.setUsername(broker.username());
        connections.setPassword(broker.password());
        connections.setVirtualHost(broker.virtualHost());
        try {
            RabbitTemplate rabbit = new RabbitTemplate(connections);
            return Stream.generate(() -> rabbit.receive("kept"))
                    .takeWhile(Objects::nonNull)
                    .<Object>map(message -> message.getMessageProperties().getHeader(IdempotencyHeaders.KEY))
                    .toList();
        } finally {
            connections.destroy();
        }
    }
}
