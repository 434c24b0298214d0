package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.service.internal.access.OpenPaths;
import io.idem.gateway.service.internal.access.OperatorFilter;
import io.idem.http.internal.servlet.Refusals;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/** Restricts Spring Boot's endpoints to operators where they are on the port of the intake. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({PathMappedEndpoints.class, ManagementPortType.class})
class OperatorConfiguration {

    @Bean
    FilterRegistrationBean<OperatorFilter> idemOperatorFilter(
            IdemGatewayServiceProperties properties,
            Environment environment,
            ListableBeanFactory beans,
            ObjectProvider<PathMappedEndpoints> endpoints,
            OpenPaths open,
            Refusals refusals) {
        FilterRegistrationBean<OperatorFilter> registration = new FilterRegistrationBean<>(new OperatorFilter(
                Set.copyOf(properties.operators()),
                SingletonSupplier.of(() -> endpoints.stream()
                        .flatMap(OperatorConfiguration::patterns)
                        .toList()),
                open,
                refusals));
        registration.setOrder(OperatorFilter.ORDER);
        registration.setEnabled(ManagementPortType.get(environment) == ManagementPortType.SAME
                && AuthenticationConfiguration.judgesCallers(properties, beans));
        return registration;
    }

    /** Returns the base path with everything below it; without a base path, the path of each endpoint. */
    private static Stream<PathPattern> patterns(PathMappedEndpoints endpoints) {
        Collection<String> paths =
                endpoints.getBasePath().isEmpty() ? endpoints.getAllPaths() : List.of(endpoints.getBasePath());
        PathPatternParser parser = new PathPatternParser();
        parser.setCaseSensitive(false);
        return paths.stream().map(path -> parser.parse(path + "/**"));
    }
}
