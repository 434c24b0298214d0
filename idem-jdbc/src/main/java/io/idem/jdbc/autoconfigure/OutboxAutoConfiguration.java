package io.idem.jdbc.autoconfigure;

import io.idem.Outbox;
import io.idem.internal.operations.OwnedScopes;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.inbox.InboxStore;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.operations.ScopeRegistry;
import io.idem.operations.UnsentMessages.Waiting;
import io.idem.spi.OutgoingTransport;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Auto-configuration of the outbox on the table of the inbox, which is created for the first participant that asks for
 * it. Every bean backs off for the user's own.
 */
@AutoConfiguration(after = InboxAutoConfiguration.class)
@ConditionalOnBean(InboxSchema.class)
@ConditionalOnMissingBean(Outbox.class)
@ConditionalOnSingleCandidate(PlatformTransactionManager.class)
final class OutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxRelay idemOutboxRelay(
            Databases databases,
            ObjectProvider<OutgoingTransport> transports,
            InboxProperties properties,
            ObjectProvider<ScopeRegistry> registry,
            ObjectProvider<OwnedScopes> further,
            Environment environment) {
        OutboxRelay relay = new OutboxRelay(
                databases::byName,
                () -> transports.orderedStream().toList(),
                properties.outbox().relayAfter());
        String routes = environment.getProperty(
                "idem.http.scope", "http." + environment.getProperty("spring.application.name"));
        relay.own(() -> {
            Set<String> owned = new HashSet<>(properties.outbox().scopes());
            // The routes' scope has no participant where they are gone.
            owned.add(routes);
            registry.forEach(each -> owned.addAll(each.participants().keySet()));
            further.forEach(each -> owned.addAll(each.names()));
            return owned;
        });
        return relay;
    }

    /** Created for the first route that asks for an inbox. Gets the schema because that checks the table. */
    @Bean
    @Lazy
    JdbcOutbox idemOutbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            OutboxRelay relay,
            ObjectProvider<InboxSchema> schema,
            InboxProperties properties,
            Databases databases,
            ObjectProvider<InboxStore> store,
            ObjectProvider<PostgresRecords> records) {
        databases.requireNamed();
        InboxSchema unused = schema.getObject();
        JdbcOutbox outbox = new JdbcOutbox(properties.tablesIn(dataSource), transactionManager, relay);
        InboxStore itself = store.getIfAvailable();
        if (itself != null) {
            return outbox.asStore(itself);
        }
        return records.stream()
                .filter(each -> each.areIn(dataSource))
                .findFirst()
                .map(each -> outbox.onRecordsOf(each.store()))
                .orElse(outbox);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder idemOutboxMetrics(OutboxRelay relay) {
            return registry -> {
                MultiGauge unsent = MultiGauge.builder("idem.outbox.unsent")
                        .description("Committed rows with messages that no broker is known to have")
                        .register(registry);
                MultiGauge oldest = MultiGauge.builder("idem.outbox.oldest")
                        .description("Time since the oldest of these rows was committed")
                        .baseUnit("seconds")
                        .register(registry);
                relay.onCount(waiting -> {
                    unsent.register(rows(waiting, Waiting::rows), true);
                    oldest.register(rows(waiting, Waiting::oldestSeconds), true);
                });
            };
        }

        private static List<MultiGauge.Row<?>> rows(List<Waiting> waiting, Function<Waiting, Long> value) {
            return waiting.stream()
                    .<MultiGauge.Row<?>>map(each -> MultiGauge.Row.of(
                            Tags.of("tenant", each.tenant(), "scope", each.scope()),
                            each.rows() < 0 ? Double.NaN : value.apply(each)))
                    .toList();
        }
    }

    @Bean
    RelayLifecycle idemOutboxRelaying(OutboxRelay relay, ObjectProvider<Pauses> pauses) {
        return new RelayLifecycle(
                relay, pauses.getIfAvailable(() -> Pauses.USUAL).relaying());
    }

    /**
     * Runs the relay while the application runs: starts before the web server accepts requests, and stops after it has
     * answered them.
     */
    record RelayLifecycle(OutboxRelay relay, Duration every) implements SmartLifecycle {

        @Override
        public void start() {
            relay.start(every);
        }

        @Override
        public void stop() {
            relay.stop();
        }

        @Override
        public boolean isRunning() {
            return relay.running();
        }

        @Override
        public int getPhase() {
            return 0;
        }
    }
}
