package io.idem.http.autoconfigure;

import io.idem.http.outgoing.OutgoingKeyExchangeFilter;
import io.idem.http.outgoing.OutgoingKeyInterceptor;
import io.idem.http.outgoing.OutgoingKeys;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;

/** The keys in outgoing HTTP calls, for every kind of application: the calls of requests and of listeners. */
@AutoConfiguration
@EnableConfigurationProperties(IdemOutgoingProperties.class)
class IdemOutgoingAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    OutgoingKeys idemOutgoingKeys(IdemOutgoingProperties properties, Environment environment) {
        return properties.keys(
                environment.getProperty("idem.http.headers.key", IdemHttpProperties.Headers.DEFAULT_KEY));
    }

    @Bean
    @ConditionalOnMissingBean
    OutgoingKeyInterceptor idemOutgoingKeyInterceptor(OutgoingKeys keys) {
        return new OutgoingKeyInterceptor(keys);
    }

    /** The interceptors of blocking clients. They change the way in which bodies are sent, so clients get them only if hosts are listed. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class BlockingClients {

        @Bean
        RestClientCustomizer idemRestClientKeys(OutgoingKeys keys, OutgoingKeyInterceptor interceptor) {
            return builder -> {
                if (keys.any()) {
                    interceptor.accept(builder);
                }
            };
        }

        @Bean
        RestTemplateCustomizer idemRestTemplateKeys(OutgoingKeys keys, OutgoingKeyInterceptor interceptor) {
            return template -> {
                if (keys.any()) {
                    template.getInterceptors().add(interceptor);
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ExchangeFilterFunction.class)
    static class ReactiveClients {

        @Bean
        @ConditionalOnMissingBean
        OutgoingKeyExchangeFilter idemOutgoingKeyExchangeFilter(OutgoingKeys keys) {
            return new OutgoingKeyExchangeFilter(keys);
        }
    }
}
