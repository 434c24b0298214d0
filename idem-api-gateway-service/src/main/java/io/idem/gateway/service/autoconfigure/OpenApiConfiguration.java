package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.internal.intake.OutcomeWaits;
import io.idem.gateway.internal.intake.ReadPath;
import io.idem.gateway.service.internal.limits.InFlightFilter;
import io.idem.gateway.service.internal.limits.RateLimitFilter;
import io.idem.gateway.service.internal.openapi.DescribedIntake;
import io.idem.gateway.service.internal.openapi.IntakeDescription;
import io.idem.gateway.service.internal.openapi.OpenApiEndpoint;
import io.idem.gateway.service.openapi.OpenApiCustomizer;
import io.idem.http.ErrorBody;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.internal.spring.ConditionalOnSwitch;
import java.util.EnumSet;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.databind.node.ObjectNode;

/** The beans of the intake's OpenAPI description. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnSwitch("idem.gateway.openapi.enabled")
class OpenApiConfiguration {

    @Bean
    RouterFunction<ServerResponse> idemOpenApiEndpoint(
            IdemGatewayServiceProperties properties,
            @Qualifier("idemOperationsPath") ReadPath operations,
            IntakeRoutes routes,
            IdempotencyFilterParts parts,
            ErrorBody errors,
            Environment environment,
            OutcomeWaits waits,
            FilterRegistrationBean<InFlightFilter> inFlight,
            FilterRegistrationBean<RateLimitFilter> rate,
            ObjectProvider<OpenApiCustomizer> customizers) {
        OpenApiFacts facts =
                new OpenApiFacts(properties, operations.pattern(), environment, idle(inFlight, rate), waits);
        return new OpenApiEndpoint(() -> customized(facts.intake(routes, parts.common(), errors), customizers))
                .at(properties.openapi().path());
    }

    @Bean
    ReadPath idemOpenApiPath(IdemGatewayServiceProperties properties) {
        return new ReadPath(properties.openapi().path());
    }

    private static Set<GatewayProblem> idle(
            FilterRegistrationBean<InFlightFilter> inFlight, FilterRegistrationBean<RateLimitFilter> rate) {
        Set<GatewayProblem> idle = EnumSet.noneOf(GatewayProblem.class);
        if (!inFlight.isEnabled()) {
            idle.add(GatewayProblem.OVERLOADED);
        }
        if (!rate.isEnabled()) {
            idle.add(GatewayProblem.TOO_MANY_REQUESTS);
        }
        return idle;
    }

    private static ObjectNode customized(DescribedIntake intake, ObjectProvider<OpenApiCustomizer> customizers) {
        ObjectNode document = IntakeDescription.of(intake);
        customizers.orderedStream().forEach(customizer -> customizer.customize(document));
        return document;
    }
}
