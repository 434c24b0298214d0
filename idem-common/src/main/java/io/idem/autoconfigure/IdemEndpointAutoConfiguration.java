package io.idem.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.MonotonicClock;
import io.idem.internal.operations.DeferredKeys;
import io.idem.internal.operations.RecentEvents;
import io.idem.operations.DeadLetterRedriver;
import io.idem.operations.OperatorAct;
import io.idem.operations.RecordOperator;
import io.idem.spi.DeadLetterSource;
import io.idem.spi.IdempotencyStore;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.audit.listener.AuditApplicationEvent;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Auto-configuration of the actuator endpoint {@code idempotency}, where it is exposed. */
@AutoConfiguration(
        after = {IdemObservabilityAutoConfiguration.class, IdemRedisAutoConfiguration.class},
        before = IdemAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
class IdemEndpointAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = IdempotencyEndpoint.class)
    @Import(IdempotencyEndpoint.class)
    static class Exposed {

        @Bean
        @ConditionalOnMissingBean
        DeferredKeys idemDeferredKeysForOperators(ObjectProvider<ExecutionPolicy> policy) {
            return DeferredKeys.staleAfterTenLeases(
                    policy.getIfAvailable(ExecutionPolicy::defaults).lease(), MonotonicClock.SYSTEM);
        }

        @Bean
        @ConditionalOnMissingBean
        RecentEvents idemRecentEvents() {
            return new RecentEvents(InstantSource.system());
        }

        @Bean
        OperatorAudit idemOperatorAudit(ApplicationEventPublisher events) {
            return act -> events.publishEvent(auditEvent(act));
        }

        private static AuditApplicationEvent auditEvent(OperatorAct act) {
            return new AuditApplicationEvent(
                    act.operator(),
                    "IDEMPOTENCY_" + act.action(),
                    Map.of(
                            "record", act.record().toString(),
                            "reason", act.reason(),
                            "found", act.found().name().toLowerCase(Locale.ROOT),
                            "done", act.done(),
                            "failure", act.failure().orElse("")));
        }

        @Bean
        @ConditionalOnMissingBean
        DeadLetterRedriver idemDeadLetterRedriver(
                IdempotencyStore store, RecordOperator operator, ObjectProvider<DeadLetterSource> sources) {
            return new DeadLetterRedriver(
                    store, operator, sources.orderedStream().toList());
        }
    }
}
