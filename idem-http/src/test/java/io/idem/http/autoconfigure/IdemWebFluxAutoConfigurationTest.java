package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Idempotent;
import io.idem.Scope;
import io.idem.engine.AsyncIdempotentExecutor;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.ErrorBody;
import io.idem.http.TenantResolver;
import io.idem.http.contract.InboxOfStore;
import io.idem.http.contract.LedgerOutbox;
import io.idem.http.internal.admission.ProblemDetailBody;
import io.idem.http.internal.webflux.IdempotencyWebFilter;
import io.idem.internal.Causes;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import io.micrometer.context.ContextRegistry;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

@ExtendWith(OutputCaptureExtension.class)
class IdemWebFluxAutoConfigurationTest {

    private static final String ROUTE = "idem.http.routes[0].path=/orders";

    private final ReactiveWebApplicationContextRunner app = new ReactiveWebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    HttpHandlerAutoConfiguration.class,
                    WebFluxAutoConfiguration.class,
                    IdemHttpAutoConfiguration.class,
                    IdemWebFluxAutoConfiguration.class))
            .withUserConfiguration(Engine.class)
            .withPropertyValues("spring.application.name=shop");

    /** H-13 */
    @Test
    void theFilterRunsBehindSecurity() {
        app.withPropertyValues(ROUTE).run(context -> {
            assertThat(context).getBeans(WebFilter.class).containsKey("idemWebFilter");
            assertThat(context.getBean(IdempotencyWebFilter.class).getOrder()).isEqualTo(-50);
        });
    }

    @Test
    void aForwardedHeaderThatSpringHidesIsRefused() {
        ReactiveWebApplicationContextRunner counting =
                app.withPropertyValues(ROUTE, "idem.http.tenant-parts=header:X-Forwarded-Host");

        counting.withBean(ForwardedHeaderTransformer.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("ForwardedHeaderFilter or ForwardedHeaderTransformer hides"));
        counting.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aReactiveApplicationNeedsNoServletApi() {
        app.withPropertyValues(ROUTE)
                .withClassLoader(new FilteredClassLoader("jakarta.servlet", "org.springframework.web.servlet"))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(IdempotencyWebFilter.class));
    }

    /** One for the whole JVM: made by a class loader that hides Reactor, it would fail, then and for every later test. */
    @BeforeAll
    static void makeTheRegistryOfContexts() {
        ContextRegistry.getInstance();
    }

    @Test
    void aServletApplicationNeedsNoWebFlux() {
        new WebApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        WebMvcAutoConfiguration.class,
                        IdemHttpAutoConfiguration.class,
                        IdemWebFluxAutoConfiguration.class))
                .withUserConfiguration(Engine.class)
                .withPropertyValues("spring.application.name=shop", ROUTE)
                .withClassLoader(new FilteredClassLoader("org.springframework.web.reactive", "reactor."))
                .run(context -> assertThat(context).hasNotFailed().hasBean("idemFilterRegistration"));
    }

    @Test
    void theScopeFollowsFromTheApplicationsNameAndIsRegistered() {
        app.withPropertyValues(ROUTE)
                .run(context -> assertThat(context.getBean(ScopeRegistry.class).scopes())
                        .containsExactly(new Scope("http.shop")));
    }

    @Test
    void annotatedHandlersAreFound() {
        app.withUserConfiguration(Annotated.class)
                .run(context -> assertThat(context.getBean(ScopeRegistry.class).scopes())
                        .containsExactly(new Scope("http.annotated")));
    }

    @Test
    void aRouteThatMissesTheHandlerThatItMeansIsNamed(CapturedOutput output) {
        app.withUserConfiguration(Annotated.class)
                .withPropertyValues(ROUTE, "spring.webflux.base-path=/shop", "idem.http.routes[1].path=/shop/annotated")
                .run(context -> assertThat(output)
                        .contains("mapped to the routes PATCH, POST /shop/annotated ([POST] /annotated?); unless"));
    }

    @Test
    void aRouteThatAsksForAnInboxIsRefusedBecauseRequestsBelongToNoThread() {
        app.withPropertyValues(ROUTE, "idem.http.routes[0].inbox=true")
                .withBean(LedgerOutbox.class, LedgerOutbox::new)
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("servlet application")));
    }

    @Test
    void routesAreRefusedByNameWhereTheInboxIsTheStore() {
        ReactiveWebApplicationContextRunner inRows =
                app.withBean("inRows", IdempotentExecutor.class, InboxOfStore::executor, bean -> bean.setPrimary(true));

        inRows.withPropertyValues(ROUTE)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("The route of scope \"http.shop\"")
                        .hasMessageContaining("idem.store=inbox")
                        .is(analysed("choose another idem.store")));
        inRows.withUserConfiguration(Annotated.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("The route of scope \"http.annotated\"")
                        .is(analysed("servlet application")));
        inRows.run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anAnnotatedHandlerOfASafeMethodIsRefused() {
        app.withUserConfiguration(AnnotatedGet.class)
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("@Idempotent")));
    }

    @Test
    void partsBackOffForTheApplicationsOwn() {
        app.withPropertyValues(ROUTE)
                .withBean(TenantResolver.class, TenantResolver::single)
                .withBean("ownBody", ErrorBody.class, ProblemDetailBody::new)
                .run(context -> {
                    assertThat(context).hasSingleBean(TenantResolver.class);
                    assertThat(context).getBeanNames(ErrorBody.class).containsExactly("ownBody");
                });
    }

    @Test
    void withoutAuthenticationTheTenantMustBeDecided() {
        ReactiveWebApplicationContextRunner unauthenticated =
                app.withPropertyValues(ROUTE).withClassLoader(new FilteredClassLoader(SecurityFilterChain.class));

        unauthenticated.run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.tenant=SINGLE")));
        unauthenticated
                .withPropertyValues("idem.http.tenant=SINGLE")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void switchedOffThereIsNoFilter(String off) {
        app.withPropertyValues(ROUTE, "idem.http.enabled=" + off).run(context -> {
            assertThat(context).doesNotHaveBean(IdempotencyWebFilter.class);
        });
    }

    private static Condition<Throwable> analysed(String remedy) {
        return new Condition<>(
                failure -> {
                    ConfigurationException refused = Causes.find(failure, ConfigurationException.class);
                    return refused != null && refused.action().contains(remedy);
                },
                "analysed with the remedy " + remedy);
    }

    @Configuration(proxyBeanMethods = false)
    static class Engine {

        @Bean
        IdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }

        @Bean
        IdempotentExecutor executor(IdempotencyStore store) {
            return IdempotentExecutor.on(store).build();
        }

        @Bean
        AsyncIdempotentExecutor asyncExecutor(IdempotentExecutor executor) {
            return executor.async(Runnable::run);
        }

        @Bean
        ExecutionPolicy policy() {
            return ExecutionPolicy.defaults();
        }

        @Bean
        ScopeRegistry registry(IdempotencyStore store) {
            return new ScopeRegistry(() -> store);
        }
    }

    @RestController
    static class Annotated {

        @Idempotent(scope = "http.annotated")
        @PostMapping("/annotated")
        String post() {
            return "";
        }
    }

    @RestController
    static class AnnotatedGet {

        @Idempotent
        @GetMapping("/annotated")
        String get() {
            return "";
        }
    }
}
