package io.idem.http.autoconfigure;

import io.idem.IdempotencyContext;
import io.idem.IdempotencyKey;
import io.idem.http.internal.servlet.ServletContextResolver;
import io.idem.http.internal.webflux.ReactiveContextResolver;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.DispatcherServlet;

/** The parameters of handlers for the context of their request, which are null while the filter is off. */
@AutoConfiguration
class IdemContextParametersAutoConfiguration {

    /** Leaves the parameters out of the documents of springdoc: no client sends them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SpringDocUtils.class)
    static class OpenApi {

        @Bean
        static BeanFactoryPostProcessor idemUndescribedParameters() {
            return beans -> SpringDocUtils.getConfig()
                    .addRequestWrapperToIgnore(IdempotencyContext.class, IdempotencyKey.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(DispatcherServlet.class)
    static class Servlet {

        @Bean
        static ServletContextResolver idemContextParameters() {
            return new ServletContextResolver();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Reactive {

        @Bean
        static ReactiveContextResolver idemContextParameters() {
            return new ReactiveContextResolver();
        }
    }
}
