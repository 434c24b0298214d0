package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.internal.intake.SchemaChecks;
import io.idem.gateway.service.schema.JsonSchemaCheck;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Auto-configuration of authentication, limits, JSON Schemas and the OpenAPI description of an intake. */
@AutoConfiguration(afterName = "io.idem.gateway.autoconfigure.IdemGatewayAutoConfiguration")
@ConditionalOnBean(IntakeRoutes.class)
@EnableConfigurationProperties(IdemGatewayServiceProperties.class)
@Import({
    ApiKeyConfiguration.class,
    AuthenticationConfiguration.class,
    OperatorConfiguration.class,
    LimitsConfiguration.class,
    OpenApiConfiguration.class,
    ProxyTenantConfiguration.class
})
class IdemGatewayServiceAutoConfiguration {

    @Bean
    SchemaChecks idemSchemaChecks() {
        return JsonSchemaCheck::of;
    }
}
