package io.idem.http.autoconfigure;

import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.http.internal.admission.AnnotatedRoutes;
import io.idem.http.internal.admission.FilterParts;
import io.idem.http.internal.webflux.HandlerCorsWebFilter;
import io.idem.http.internal.webflux.IdempotencyCorsWebFilter;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import io.idem.http.internal.webflux.ReactiveHandlerCalls;
import io.idem.http.internal.webflux.ReactiveMappedHandlers;
import io.idem.http.internal.webflux.TakenBodies;
import io.idem.http.internal.webflux.WebFilterParts;
import io.idem.internal.spring.ConditionalOnSwitch;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfoHandlerMapping;
import org.springframework.web.server.WebExceptionHandler;

/** The idempotency filter of a reactive application. */
@AutoConfiguration(afterName = "io.idem.autoconfigure.IdemAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnSwitch("idem.http.enabled")
@Import(SharedHttpConfiguration.class)
class IdemWebFluxAutoConfiguration {

    @Bean
    AnnotatedRoutes idemAnnotatedRoutes(ObjectProvider<RequestMappingInfoHandlerMapping> mappings) {
        return new AnnotatedRoutes(() -> ReactiveMappedHandlers.in(mappings), () -> false);
    }

    @Bean
    LaterFilters idemLaterFilters(ApplicationContext context) {
        return new ReactiveLaterFilters(context);
    }

    @Bean
    @ConditionalOnMissingBean
    WebFilterParts idemWebFilterParts(
            AsyncIdempotentExecutor executor,
            FilterParts common,
            ObjectProvider<ServerCodecConfigurer> codecs,
            ObjectProvider<WebExceptionHandler> errors) {
        return new WebFilterParts(
                executor,
                common,
                codecs.getIfAvailable(ServerCodecConfigurer::create),
                () -> errors.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyWebFilter idemWebFilter(WebFilterParts parts) {
        return parts.filter();
    }

    @Bean
    static ReactiveHandlerCalls idemHandlerCalls(ApplicationContext context) {
        return new ReactiveHandlerCalls(context);
    }

    @Bean
    TakenBodies idemTakenBodies() {
        return new TakenBodies();
    }

    @Bean
    @ConditionalOnMissingBean
    IdempotencyCorsWebFilter idemCorsWebFilter(FilterParts parts) {
        return new IdempotencyCorsWebFilter(parts);
    }

    @Bean
    @ConditionalOnMissingBean
    HandlerCorsWebFilter idemHandlerCorsWebFilter(
            FilterParts parts, ObjectProvider<CorsWebFilter> filters, ObjectProvider<HandlerMapping> mappings) {
        return new HandlerCorsWebFilter(
                parts.routes(),
                SingletonSupplier.of(() -> filters.orderedStream().toList()),
                SingletonSupplier.of(() -> mappings.orderedStream().toList()));
    }
}
