package io.idem.gateway.autoconfigure;

import io.idem.gateway.IntakeRoutes;
import io.idem.gateway.openapi.DescribedIntake;
import io.idem.gateway.openapi.IntakeDescription;
import io.idem.gateway.openapi.OpenApiCustomizer;
import io.idem.gateway.openapi.OpenApiEndpoint;
import io.idem.http.ErrorBody;
import io.idem.http.servlet.IdempotencyFilterParts;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;
import tools.jackson.databind.node.ObjectNode;

/** The intake's OpenAPI description. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(name = "idem.gateway.openapi.enabled", matchIfMissing = true)
class OpenApiConfiguration {

    @Bean
    RouterFunction<ServerResponse> idemOpenApiEndpoint(
            IdemGatewayProperties properties,
            IntakeRoutes routes,
            IdempotencyFilterParts parts,
            ErrorBody errors,
            Environment environment,
            ObjectProvider<OpenApiCustomizer> customizers) {
        OpenApiFacts facts = new OpenApiFacts(properties, environment);
        return new OpenApiEndpoint(() -> customized(facts.intake(routes, parts.common(), errors), customizers))
                .at(properties.openapi().path());
    }

    private static ObjectNode customized(DescribedIntake intake, ObjectProvider<OpenApiCustomizer> customizers) {
        ObjectNode document = IntakeDescription.of(intake);
        customizers.orderedStream().forEach(customizer -> customizer.customize(document));
        return document;
    }
}
