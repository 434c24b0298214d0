package io.idem.gateway.autoconfigure;

import io.idem.ExecutionPolicy;
import io.idem.Inbox;
import io.idem.ScopePolicies;
import io.idem.consumer.internal.rabbit.send.ConfirmedChannels;
import io.idem.engine.IdempotentExecutor;
import io.idem.gateway.IntakeRoute;
import io.idem.gateway.IntakeRouter;
import io.idem.gateway.RejectedOperations;
import io.idem.gateway.handoff.HandOff;
import io.idem.gateway.internal.handoff.BlockedConnections;
import io.idem.gateway.internal.handoff.KafkaPublisher;
import io.idem.gateway.internal.handoff.RabbitPublisher;
import io.idem.gateway.internal.intake.GeneratedKeyFilter;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.internal.intake.OperationsEndpoint;
import io.idem.gateway.internal.intake.OtherMethods;
import io.idem.gateway.internal.intake.OutcomeWaits;
import io.idem.gateway.internal.intake.ReadPath;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.gateway.internal.intake.ScopedRoute;
import io.idem.http.OperationStatusReader;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.Refusals;
import io.idem.http.internal.tenant.TokenClaimTenant;
import io.idem.internal.spring.ConditionalOnSwitch;
import io.idem.spi.IdempotencyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** Auto-configuration of the intake of a servlet application that has a route. */
@AutoConfiguration(
        afterName = {
            "io.idem.http.autoconfigure.IdemHttpAutoConfiguration",
            "io.idem.consumer.autoconfigure.IdemRabbitAutoConfiguration",
            "io.idem.consumer.autoconfigure.IdemKafkaAutoConfiguration"
        })
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnSwitch("idem.gateway.enabled")
@Conditional(IntakeCondition.class)
@EnableConfigurationProperties(IdemGatewayProperties.class)
@Import({WaitingConfiguration.class, HealthConfiguration.class})
class IdemGatewayAutoConfiguration {

    @Bean
    BlockedConnections idemBlockedConnections() {
        return new BlockedConnections();
    }

    @Bean
    @Lazy
    RabbitPublisher idemGatewayRabbitPublisher(
            RabbitTemplate template,
            IdemGatewayProperties properties,
            BlockedConnections blocked,
            ExecutionPolicy policy) {
        Duration timeout = timeout(properties, policy);
        return new RabbitPublisher(
                template, new ConfirmedChannels(template, timeout), timeout, properties.publishingLimit(), blocked);
    }

    @Bean
    @Lazy
    KafkaPublisher idemGatewayKafkaPublisher(
            ObjectProvider<ProducerFactory<?, ?>> factory, IdemGatewayProperties properties, ExecutionPolicy policy) {
        return Brokers.kafka(factory.getIfUnique(), timeout(properties, policy), properties.publishingLimit());
    }

    private static Duration timeout(IdemGatewayProperties properties, ExecutionPolicy policy) {
        return ConfirmTimeout.of(properties.confirmTimeout(), policy.lease());
    }

    @Bean
    @ConditionalOnMissingBean
    HandOff idemHandOff(ObjectProvider<RabbitPublisher> rabbit, ObjectProvider<KafkaPublisher> kafka) {
        return new HandOff(rabbit::getObject, kafka::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    RejectedOperations idemRejectedOperations(IdempotencyStore store, ScopePolicies policies) {
        return new RejectedOperations(store, policies);
    }

    @Bean
    IntakeRoutes idemIntakeRoutes(
            IdemGatewayProperties properties,
            HandOff handOff,
            RejectedOperations rejected,
            ObjectProvider<IntakeRouter> coded,
            ObjectProvider<SchemaChecks> schemas,
            IdempotentExecutor executor,
            ScopedRoute.All scoped,
            Environment environment) {
        SchemaChecks service = schemas.getIfAvailable();
        if (service == null) {
            ServiceSettings.requireNone(environment, scoped);
        }
        boolean inboxAlways = executor.inbox().flatMap(Inbox::failures).isPresent();
        List<IntakeRoute> routes = new ArrayList<>(new ConfiguredIntakeRoutes(
                        properties,
                        handOff,
                        rejected,
                        service,
                        inboxAlways,
                        environment.getProperty(TokenClaimTenant.HOME))
                .routes());
        coded.orderedStream().forEach(router -> routes.addAll(router.routes()));
        return new IntakeRoutes(routes);
    }

    @Bean
    FilterRegistrationBean<GeneratedKeyFilter> idemGeneratedKeyFilter(
            IntakeRoutes routes, IdempotencyFilterParts parts) {
        FilterRegistrationBean<GeneratedKeyFilter> registration =
                new FilterRegistrationBean<>(new GeneratedKeyFilter(routes, parts.common()));
        registration.setOrder(GeneratedKeyFilter.ORDER);
        return registration;
    }

    @Bean
    RouterFunction<ServerResponse> idemIntakeEndpoints(IntakeRoutes routes, Refusals refusals) {
        return routes.endpoints(refusals);
    }

    /** Ordered behind the handlers of the application, which may have the path under another method. */
    @Bean
    OtherMethods idemIntakeOtherMethods(
            IdemGatewayProperties properties, IntakeRoutes routes, Refusals refusals, ObjectProvider<ReadPath> paths) {
        Stream<String> read = Stream.concat(
                Stream.of(properties.operationsPath() + "/{key}"),
                paths.stream().map(ReadPath::pattern));
        return new OtherMethods(routes, read, refusals);
    }

    @Bean
    ReadPath idemOperationsPath(IdemGatewayProperties properties) {
        return new ReadPath(properties.operationsPath());
    }

    @Bean
    ScopedRoute.All idemScopedRoutes(IdemGatewayProperties properties) {
        return properties.scoped();
    }

    /** Uses the same resolver as the filter, so that a tenant never sees another's operation. */
    @Bean
    RouterFunction<ServerResponse> idemOperationsEndpoint(
            IdemGatewayProperties properties,
            OperationStatusReader reader,
            IdempotencyFilterParts parts,
            Refusals refusals,
            OutcomeWaits waits) {
        return new OperationsEndpoint(reader, parts.common().keyTenants(), refusals, waits)
                .at(properties.operationsPath());
    }
}
