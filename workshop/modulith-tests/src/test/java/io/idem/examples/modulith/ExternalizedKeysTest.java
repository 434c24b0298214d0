package io.idem.examples.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Idempotent;
import io.idem.servers.KafkaServers;
import io.idem.servers.RunningKafka;
import io.idem.servers.ServerOptions;
import io.idem.servers.process.ChildJvm;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.modulith.events.Externalized;

/** The keys of events that idempotent work externalizes, after its commit. */
@Tag("extended")
class ExternalizedKeysTest {

    private final ShopDatabase database = new ShopDatabase();

    @Externalized("orders")
    record OrderNoted(String text) {}

    /** Work with a key of its own, which none of its events may get. */
    static class Basket {

        private final Orders orders;
        private final ApplicationEventPublisher events;

        Basket(Orders orders, ApplicationEventPublisher events) {
            this.orders = orders;
            this.events = events;
        }

        @Idempotent(scope = "basket", key = "#id", inbox = true)
        public void buy(String id) {
            orders.place("o1", "lamp");
            orders.place("o2", "desk");
            events.publishEvent(new OrderNoted("for Monday"));
            events.publishEvent(new OrderNoted("for Tuesday"));
        }
    }

    static class SameThread {

        @Bean
        SyncTaskExecutor applicationTaskExecutor() {
            return new SyncTaskExecutor();
        }
    }

    private List<String> keys(Class<?>... more) {
        try (RunningKafka broker = KafkaServers.start(ServerOptions.own());
                OrderTopic topic = OrderTopic.create(broker);
                ConfigurableApplicationContext shop = ShopMain.run(
                        Stream.<Class<?>>concat(Stream.of(Basket.class), Stream.of(more))
                                .toList(),
                        Stream.concat(
                                        database.settings().stream(),
                                        Stream.of("--spring.kafka.bootstrap-servers=" + broker.bootstrapServers()))
                                .toArray(String[]::new))) {
            shop.getBean(Basket.class).buy("basket-1");
            await().atMost(ChildJvm.LONGEST_START).until(() -> database.incomplete() == 0);
            return topic.keys();
        }
    }

    @Test
    void eventsOfOneTransactionHaveTheirOwnKeysAndNeverThatOfTheWork() {
        assertThat(keys()).containsExactlyInAnyOrder("order-placed/o1", "order-placed/o2", "none", "none");
    }

    @Test
    void eventsThatLeaveOnTheThreadOfTheWorkKeepTheirKeys() {
        assertThat(keys(SameThread.class))
                .contains("order-placed/o1", "order-placed/o2")
                .hasSize(4)
                .doesNotHaveDuplicates()
                .doesNotContain("basket-1", "none");
    }
}
