package io.idem.jdbc.autoconfigure;

import io.idem.Outbox;
import io.idem.jdbc.inbox.InboxSchema;
import io.idem.jdbc.outbox.JdbcOutbox;
import io.idem.jdbc.outbox.OutboxRelay;
import io.idem.spi.OutgoingTransport;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.transaction.PlatformTransactionManager;

/** The outbox on the table of the inbox; does nothing until a participant asks for it. Backs off for every bean a user defines. */
@AutoConfiguration(after = InboxAutoConfiguration.class)
@ConditionalOnBean(InboxSchema.class)
@ConditionalOnMissingBean(Outbox.class)
@ConditionalOnSingleCandidate(PlatformTransactionManager.class)
final class OutboxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutboxRelay idemOutboxRelay(
            DataSource dataSource, ObjectProvider<OutgoingTransport> transports, InboxProperties properties) {
        return new OutboxRelay(
                properties.tablesIn(dataSource),
                () -> transports.orderedStream().toList(),
                properties.outbox().relayAfter());
    }

    /** Takes the schema as a sign that the table was checked; made for the first route that asks for an inbox. */
    @Bean
    @Lazy
    JdbcOutbox idemOutbox(
            DataSource dataSource,
            PlatformTransactionManager transactionManager,
            OutboxRelay relay,
            InboxSchema checked,
            InboxProperties properties) {
        JdbcOutbox outbox = new JdbcOutbox(properties.tablesIn(dataSource), transactionManager, relay)
                .keepingRowsFor(properties.retention());
        return properties.failOpen() ? outbox.decidingAlone() : outbox;
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterBinder.class)
    static class Metrics {

        @Bean
        MeterBinder idemOutboxMetrics(OutboxRelay relay) {
            return registry -> Gauge.builder("idem.outbox.unsent", relay, OutboxRelay::unsent)
                    .description("Committed rows with messages that no broker is known to have")
                    .register(registry);
        }
    }

    @Bean
    Relaying idemOutboxRelaying(OutboxRelay relay, ObjectProvider<Pauses> pauses) {
        return new Relaying(relay, pauses.getIfAvailable(() -> Pauses.USUAL).relaying());
    }
}
