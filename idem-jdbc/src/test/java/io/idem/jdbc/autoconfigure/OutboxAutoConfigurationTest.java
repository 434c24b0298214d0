package io.idem.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.Fingerprint;
import io.idem.IdempotencyKey;
import io.idem.Inbox;
import io.idem.Inbox.Effect;
import io.idem.Lease;
import io.idem.Outbox;
import io.idem.OutgoingMessage;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.StoredResult;
import io.idem.jdbc.TestDatabase;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.spi.OutgoingTransport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;

@Tag("servers")
class OutboxAutoConfigurationTest {

    private static final Scope SCOPE = new Scope("http.shop");
    private static final OutgoingMessage MESSAGE = new OutgoingMessage("rabbit", "orders", new byte[] {1});

    private final TestDatabase database = new TestDatabase();
    private final Broker broker = new Broker();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    DataSourceTransactionManagerAutoConfiguration.class,
                    InboxAutoConfiguration.class,
                    OutboxAutoConfiguration.class))
            .withBean(DataSource.class, database::dataSource)
            .withBean(OutgoingTransport.class, () -> broker)
            .withPropertyValues("idem.jdbc.initialize-schema=always");

    @AfterEach
    void close() {
        database.close();
    }

    private static void publish(Outbox outbox, String key) throws Exception {
        RecordId record = new RecordId(IdempotencyKey.of(key), SCOPE);
        Lease lease = new Lease(
                record, OwnerToken.random(new SecureRandom()), 1, 1, Duration.ofSeconds(30), Duration.ofHours(1));
        var unused = outbox.inbox(SCOPE)
                .run(
                        new Inbox.Request(lease, Fingerprint.NONE),
                        mine -> Optional.of(new Effect(StoredResult.NONE, List.of(MESSAGE))));
    }

    @Test
    void whatIsCommittedIsSentByTheApplicationItself() {
        application.run(context -> {
            publish(context.getBean(Outbox.class), "k");

            await().untilAsserted(() -> assertThat(broker.received).containsExactly(MESSAGE));
            OutboxRelay relay = context.getBean(OutboxRelay.class);
            await().untilAsserted(() -> assertThat(relay.unsent()).isZero());
        });
    }

    @Test
    void whatADeadProcessCommittedIsSentWhenItIsDue() {
        Duration shortly = Duration.ofMillis(50);
        application
                .withBean(Pauses.class, () -> new Pauses(shortly, shortly, shortly))
                .run(context -> {
                    Inbox served = context.getBean(Outbox.class).inbox(SCOPE);
                    publish(
                            new JdbcOutbox(
                                    database.dataSource(),
                                    context.getBean(PlatformTransactionManager.class),
                                    deadRelay()),
                            "k");
                    assertThat(served).isNotNull();
                    assertThat(broker.received).isEmpty();

                    database.jdbc().update("UPDATE idem_record SET relay_at = at");

                    await().untilAsserted(() -> assertThat(broker.received).containsExactly(MESSAGE));
                });
    }

    private OutboxRelay deadRelay() {
        return new OutboxRelay(database.dataSource(), () -> List.of(broker), Duration.ofHours(1));
    }

    @Test
    void rowsThatWaitAreMetrics() {
        Duration shortly = Duration.ofMillis(50);
        application
                .withBean(Pauses.class, () -> new Pauses(shortly, shortly, shortly))
                .run(context -> {
                    SimpleMeterRegistry registry = new SimpleMeterRegistry();
                    context.getBean(MeterBinder.class).bindTo(registry);
                    var unused = context.getBean(Outbox.class).inbox(SCOPE);
                    await().ignoreExceptions()
                            .untilAsserted(() -> assertThat(gauge(registry, "idem.outbox.unsent"))
                                    .isZero());

                    publish(
                            new JdbcOutbox(
                                    database.dataSource(),
                                    context.getBean(PlatformTransactionManager.class),
                                    deadRelay()),
                            "k");
                    database.jdbc().update("UPDATE idem_record SET at = now() - interval '1 hour'");

                    await().ignoreExceptions()
                            .untilAsserted(() -> assertThat(gauge(registry, "idem.outbox.unsent"))
                                    .isEqualTo(1));
                    await().ignoreExceptions()
                            .untilAsserted(() -> assertThat(gauge(registry, "idem.outbox.oldest"))
                                    .isGreaterThan(3_599));
                    assertThat(Path.of("..", "docs", "observability.md"))
                            .content()
                            .contains("| `idem.outbox.unsent` | gauge | `tenant`, `scope` |")
                            .contains("| `idem.outbox.oldest` | gauge, seconds | `tenant`, `scope` |");
                });
    }

    private static double gauge(SimpleMeterRegistry registry, String name) {
        Gauge gauge = registry.get(name).gauge();
        assertThat(gauge.getId().getTags()).containsExactlyElementsOf(Tags.of("tenant", "", "scope", SCOPE.name()));
        return gauge.value();
    }

    @Test
    void theInboxOfListenersStaysTheOnlyBeanOfItsType() {
        application.run(
                context -> assertThat(context).hasSingleBean(Inbox.class).hasSingleBean(Outbox.class));
    }

    @Test
    void withoutAnInboxThereIsNone() {
        application
                .withPropertyValues("idem.jdbc.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Outbox.class));
    }

    @Test
    void itBacksOffForAnOutboxOfTheUsers() {
        Outbox users = scope -> {
            throw new UnsupportedOperationException();
        };
        application
                .withBean(Outbox.class, () -> users)
                .run(context -> assertThat(context).hasSingleBean(Outbox.class).doesNotHaveBean(OutboxRelay.class));
    }

    @Test
    void settingsThatCannotWorkAreRefusedByName() {
        application
                .withPropertyValues("idem.jdbc.outbox.relay-after=10ms")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("idem.jdbc.outbox.relay-after=PT0.01S is less than a second"));
    }

    private static final class Broker implements OutgoingTransport {

        private final List<OutgoingMessage> received = new CopyOnWriteArrayList<>();

        @Override
        public String name() {
            return "rabbit";
        }

        @Override
        public CompletionStage<?> publish(OutgoingMessage message) {
            received.add(message);
            return CompletableFuture.completedFuture(message);
        }
    }
}
