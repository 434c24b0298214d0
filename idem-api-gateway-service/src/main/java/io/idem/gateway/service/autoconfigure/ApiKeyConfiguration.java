package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.service.internal.access.ApiKeyFilter;
import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.http.TenantResolver;
import io.idem.http.internal.servlet.Refusals;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Authentication by API keys; only another way to authenticate, or {@code none}, in words, turns it off. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuthentication(Authentication.API_KEY)
class ApiKeyConfiguration {

    @Bean
    FilterRegistrationBean<ApiKeyFilter> idemApiKeyFilter(
            IdemGatewayServiceProperties properties, OpenPaths open, Refusals refusals) {
        FilterRegistrationBean<ApiKeyFilter> registration =
                new FilterRegistrationBean<>(new ApiKeyFilter(ConfiguredApiKeys.read(properties), open, refusals));
        registration.setOrder(ApiKeyFilter.ORDER);
        return registration;
    }

    @Bean
    @ConditionalOnMissingBean
    TenantResolver idemApiKeyTenants() {
        return ApiKeyFilter.tenants();
    }
}
