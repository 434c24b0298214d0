package io.idem.gateway.service.autoconfigure;

import static io.idem.internal.value.Arguments.require;

import io.idem.ConfigurationException;
import io.idem.http.TenantResolver;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.servlet.AbstractFilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.boot.web.servlet.ServletContextInitializerBeans;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.web.util.matcher.IpAddressMatcher;
import org.springframework.web.filter.ForwardedHeaderFilter;

/**
 * The tenant that a trusted proxy names in a header, by {@code idem.http.tenant=PROXY_HEADER} in every spelling.
 * Applications have a {@code TenantResolver} bean for that; the users of the service have settings only.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(IpAddressMatcher.class)
@ConditionalOnExpression(
        "environment.getProperty('idem.http.tenant', '').replaceAll('[-_]', '').equalsIgnoreCase('proxyheader')")
class ProxyTenantConfiguration {

    private static final String FROM = "idem.http.tenant-from";
    private static final String STRATEGY = "server.forward-headers-strategy";

    /** The settings that install Tomcat's valve, each of which makes it read forwarded addresses, from a default header if none is set. */
    private static final List<String> REMOTE_IP =
            List.of("server.tomcat.remoteip.remote-ip-header", "server.tomcat.remoteip.protocol-header");

    /** The header counts only in a connection from a proxy. A request with several values has no tenant. */
    @Bean
    @ConditionalOnMissingBean
    TenantResolver idemProxyTenants(Environment environment) {
        try {
            Binder settings = Binder.get(environment);
            String header = settings.bind(FROM + ".header", String.class).orElse("");
            List<IpAddressMatcher> proxies =
                    settings.bind(FROM + ".trusted-proxies", Bindable.listOf(String.class)).orElse(List.of()).stream()
                            .map(IpAddressMatcher::new)
                            .toList();
            require(!header.isBlank() && !proxies.isEmpty(), "one of them is missing");
            return request -> Optional.of(request.header(header))
                    .filter(lines -> lines.size() == 1
                            && request.remoteAddress().stream()
                                    .filter(address -> !address.isEmpty())
                                    .anyMatch(address -> proxies.stream().anyMatch(proxy -> proxy.matches(address))))
                    .map(lines -> lines.get(0).strip())
                    .filter(tenant -> !tenant.isEmpty());
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "idem.http.tenant=PROXY_HEADER needs a header and the addresses of the proxies: "
                            + invalid.getMessage(),
                    "Set " + FROM + ".header, and " + FROM + ".trusted-proxies as 10.1.2.3, 10.0.0.0/8 or fd00::/8",
                    invalid);
        }
    }

    /** Refuses addresses that are taken from forwarded headers: every client could claim the address of the proxy. */
    @Bean
    SmartInitializingSingleton idemProxyAddressCheck(Environment environment, ListableBeanFactory beans) {
        CloudPlatform platform = CloudPlatform.getActive(environment);
        String usual = platform != null && platform.isUsingForwardHeaders() ? "native" : "none";
        boolean server = REMOTE_IP.stream().anyMatch(environment::containsProperty)
                || !environment.getProperty(STRATEGY, usual).equalsIgnoreCase("none");
        return () -> {
            if (server
                    || new ServletContextInitializerBeans(beans)
                            .stream().anyMatch(ProxyTenantConfiguration::forwards)) {
                throw new ConfigurationException(
                        "idem.http.tenant=PROXY_HEADER knows the proxy by the connection's address, but the server or a"
                                + " ForwardedHeaderFilter takes addresses from forwarded headers",
                        "Set " + STRATEGY + "=none and neither " + String.join(" nor ", REMOTE_IP)
                                + ", and remove a ForwardedHeaderFilter bean, or choose another idem.http.tenant");
            }
        };
    }

    private static boolean forwards(ServletContextInitializer initializer) {
        return initializer instanceof AbstractFilterRegistrationBean<?> registration
                && registration.isEnabled()
                && registration.getFilter() instanceof ForwardedHeaderFilter;
    }
}
