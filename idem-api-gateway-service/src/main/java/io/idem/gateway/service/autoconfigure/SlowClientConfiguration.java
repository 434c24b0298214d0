package io.idem.gateway.service.autoconfigure;

import io.idem.gateway.internal.intake.IntakeRoutes;
import io.idem.gateway.service.internal.limits.BodyTimeFilter;
import io.idem.gateway.service.internal.limits.SlowBodyAdapter;
import io.idem.http.internal.servlet.Refusals;
import java.time.Duration;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.ProtocolHandler;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Bounds for how long a client that sends slowly keeps a thread. */
@Configuration(proxyBeanMethods = false)
class SlowClientConfiguration {

    @Bean
    FilterRegistrationBean<BodyTimeFilter> idemBodyTimeFilter(
            IdemGatewayLimitsProperties properties, IntakeRoutes routes, Refusals refusals) {
        FilterRegistrationBean<BodyTimeFilter> registration = new FilterRegistrationBean<>(
                new BodyTimeFilter(properties.longestBodyTime(), routes::havePathOf, refusals));
        registration.setOrder(BodyTimeFilter.ORDER);
        return registration;
    }

    /** Where Tomcat is embedded. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Tomcat.class, ConfigurableTomcatWebServerFactory.class})
    static class OnTomcat {

        @Bean
        WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> idemSlowBodies(
                IdemGatewayLimitsProperties properties) {
            Duration longest = properties.longestBodyTime();
            return factory -> factory.addConnectorCustomizers(
                    connector -> connector.addLifecycleListener(event -> bound(event, longest)));
        }

        /** The initialization of a connector gives it an adapter. */
        private static void bound(LifecycleEvent event, Duration longest) {
            if (event.getType().equals(Lifecycle.AFTER_INIT_EVENT)
                    && event.getSource() instanceof Connector connector) {
                ProtocolHandler protocol = connector.getProtocolHandler();
                protocol.setAdapter(new SlowBodyAdapter(protocol.getAdapter(), longest));
            }
        }
    }
}
