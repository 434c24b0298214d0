package io.idem.examples.modulith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.idem.Idempotent;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.servers.process.ChildJvm;
import io.idem.spi.IdempotencyStore;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.modulith.events.IncompleteEventPublications;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Listeners of application events that Spring Modulith completes and submits again. */
@Tag("servers")
class ModuleListenersTest {

    private final ShopDatabase database = new ShopDatabase();

    record GoodsCounted(String id) {}

    /** The state of a listener's work, which may be seen without its proxy. */
    static class Progress {

        private final AtomicInteger runs = new AtomicInteger();
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
    }

    /** Works in the transaction that Spring Modulith asks for, until it may end. */
    static class ModuleListener {

        private final Progress progress;

        ModuleListener(Progress progress) {
            this.progress = progress;
        }

        @ApplicationModuleListener
        @Idempotent(scope = "module", key = "#counted.id()")
        public void enter(GoodsCounted counted) throws InterruptedException {
            progress.runs.incrementAndGet();
            progress.begun.countDown();
            progress.mayEnd.await();
        }
    }

    static class InMemory {

        @Bean
        IdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }
    }

    static class InboxedModuleListener {

        @ApplicationModuleListener
        @Idempotent(scope = "module", key = "#counted.id()", inbox = true)
        public void enter(GoodsCounted counted) {}
    }

    private ConfigurableApplicationContext start(String store, Class<?>... more) {
        return ShopMain.run(
                List.of(more),
                Stream.concat(database.settings().stream(), Stream.of("--idem.store=" + store, ShopMain.WITHOUT_KAFKA))
                        .toArray(String[]::new));
    }

    private static void publish(ConfigurableApplicationContext shop, Object event) {
        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> shop.publishEvent(event));
    }

    private static ConditionFactory patiently() {
        return await().atMost(ChildJvm.LONGEST_START);
    }

    @Test
    void anEventPublishedTwiceTakesEffectOnceAndIsCompletedTwice() {
        try (ConfigurableApplicationContext shop = start("inbox")) {
            publish(shop, new ShipmentDue("o1", "lamp"));
            patiently().until(() -> database.completed(ShipmentDue.class) == 1);
            publish(shop, new ShipmentDue("o1", "lamp"));
            patiently().until(() -> database.completed(ShipmentDue.class) == 2);
        }
        assertThat(database.shipments()).containsExactly("o1");
    }

    @Test
    void aPublicationWhoseKeyIsInProgressStaysIncompleteUntilItIsResubmitted() throws Exception {
        try (ConfigurableApplicationContext shop =
                start("redis", ModuleListener.class, Progress.class, InMemory.class)) {
            Progress progress = shop.getBean(Progress.class);
            publish(shop, new GoodsCounted("shelf-1"));
            progress.begun.await();
            publish(shop, new GoodsCounted("shelf-1"));
            patiently().until(() -> database.failed() == 1);
            progress.mayEnd.countDown();
            patiently().until(() -> database.completed(GoodsCounted.class) == 1);
            assertThat(database.failed()).isOne();

            shop.getBean(IncompleteEventPublications.class).resubmitIncompletePublications(publication -> true);
            patiently().until(() -> database.completed(GoodsCounted.class) == 2);
            assertThat(progress.runs).hasValue(1);
        }
    }

    @Test
    void aModuleListenerWithAnInboxIsRefused() {
        assertThatThrownBy(() -> start("inbox", InboxedModuleListener.class).close())
                .hasMessageContaining("InboxedModuleListener.enter")
                .hasMessageContaining("REQUIRES_NEW");
    }
}
