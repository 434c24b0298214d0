package io.idem.http.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.shop.ServletGuards;
import io.idem.ConfigurationException;
import io.idem.ExecutionPolicy;
import io.idem.Idempotent;
import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.Outbox;
import io.idem.RecordId;
import io.idem.Scope;
import io.idem.ScopePolicies;
import io.idem.engine.IdempotentExecutor;
import io.idem.http.ErrorBody;
import io.idem.http.IdempotentRoute;
import io.idem.http.TenantResolver;
import io.idem.http.contract.InboxOfStore;
import io.idem.http.contract.LedgerOutbox;
import io.idem.http.internal.admission.RefusalRenderer;
import io.idem.http.internal.admission.WaitingRoom;
import io.idem.http.internal.servlet.IdempotencyFilterParts;
import io.idem.http.internal.servlet.IdempotencyServletFilter;
import io.idem.internal.Causes;
import io.idem.internal.operations.OwnedScopes;
import io.idem.memory.InMemoryIdempotencyStore;
import io.idem.operations.ScopeRegistry;
import io.idem.spi.IdempotencyStore;
import jakarta.servlet.DispatcherType;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

@ExtendWith(OutputCaptureExtension.class)
@Tag("servers")
class IdemHttpAutoConfigurationTest {

    private static final String ROUTE = "idem.http.routes[0].path=/orders";

    private final WebApplicationContextRunner app = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WebMvcAutoConfiguration.class, IdemHttpAutoConfiguration.class))
            .withUserConfiguration(Engine.class)
            .withPropertyValues("spring.application.name=shop");

    /** H-13, H-14 */
    @Test
    void theFilterRunsBehindSecurityAndInEveryDispatchThatWritesAnAnswer() {
        app.withPropertyValues(ROUTE).run(context -> {
            FilterRegistrationBean<?> registration =
                    context.getBean("idemFilterRegistration", FilterRegistrationBean.class);
            assertThat(registration.getFilter()).isInstanceOf(IdempotencyServletFilter.class);
            assertThat(registration.getOrder()).isEqualTo(-50);
            assertThat(registration.determineDispatcherTypes())
                    .containsExactlyInAnyOrder(
                            DispatcherType.REQUEST, DispatcherType.FORWARD, DispatcherType.ASYNC, DispatcherType.ERROR);
        });
    }

    @Test
    void theScopeFollowsFromTheApplicationsNameAndIsRegistered() {
        app.withPropertyValues(ROUTE)
                .run(context -> assertThat(context.getBean(ScopeRegistry.class).scopes())
                        .containsExactly(new Scope("http.shop")));
    }

    @Test
    void thePageOfProblemsIsBelowTheDispatcherServlet() {
        app.withPropertyValues(ROUTE, "spring.mvc.servlet.path=/api")
                .run(context -> assertThat(
                                context.getBean(RefusalRenderer.class).documentation())
                        .isEqualTo("/api/idem/problems.html"));
        app.withPropertyValues(ROUTE, "spring.mvc.servlet.path=/api", "idem.http.problem-docs=https://docs.example/")
                .run(context -> assertThat(
                                context.getBean(RefusalRenderer.class).documentation())
                        .isEqualTo("https://docs.example/"));
    }

    @Test
    void aConfiguredScopeWins() {
        app.withPropertyValues(ROUTE, "idem.http.scope=intake")
                .run(context -> assertThat(context.getBean(ScopeRegistry.class).scopes())
                        .containsExactly(new Scope("intake")));
    }

    @Test
    void anApplicationWithoutRoutesNeedsNoSettings() {
        app.withPropertyValues("spring.application.name=")
                .withClassLoader(new FilteredClassLoader(SecurityFilterChain.class))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void everyRouteIsSaidOnceAtTheStart(CapturedOutput output) {
        app.withPropertyValues(
                        "idem.http.routes[0].path=/orders/**",
                        "idem.http.routes[0].methods=PUT,POST",
                        "idem.http.routes[0].wait-for=3s",
                        "idem.http.routes[1].path=/orders/notes",
                        "idem.http.routes[1].required=false")
                .run(context -> {
                    context.publishEvent(new ContextRefreshedEvent(context));

                    assertThat(output)
                            .containsOnlyOnce("POST, PUT /orders/**: scope http.shop, key required,"
                                    + " duplicates of a running request wait for 3 s, kept for 24 h")
                            .containsOnlyOnce("PATCH, POST /orders/notes: scope http.shop, key optional,"
                                    + " duplicates of a running request refused");
                });
    }

    @Test
    void routesAreNotSaidWhereThatIsSwitchedOff(CapturedOutput output) {
        app.withPropertyValues(ROUTE, "idem.observability.start-up-report=false")
                .run(context -> assertThat(output).doesNotContain("HTTP route(s)"));
    }

    @ParameterizedTest
    @CsvSource({
        "idem.http.in-progress-status=500, in-progress-status 500 is neither 409 nor 503",
        "idem.http.routes[0].in-progress-status=202, idem.http.routes[0]: in-progress-status 202 is neither 409 nor 503",
        "idem.http.max-waiting=-1, max-waiting -1 is negative; use 0 to let no request wait"
    })
    void aWaitThatCannotBeIsRefusedByTheNameOfItsSetting(String setting, String complaint) {
        app.withPropertyValues(ROUTE, setting)
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining(complaint));
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void theScopesOfRoutesStayTheApplicationsWhereTheFilterIsOff(String no) {
        WebApplicationContextRunner off = app.withConfiguration(
                        AutoConfigurations.of(IdemRestingRoutesAutoConfiguration.class))
                .withPropertyValues(ROUTE, "idem.http.routes[0].scope=by-setting")
                .withUserConfiguration(AnnotatedWithScope.class)
                .withBean(
                        IdempotentRoute.class,
                        () -> IdempotentRoute.post("/bean").with(options -> options.scope(new Scope("by-bean"))));

        off.withPropertyValues("idem.http.enabled=" + no, "idem.http.routes[0].inbox-transaction=last-phase")
                .run(context -> {
                    assertThat(context.getBean(OwnedScopes.class).names())
                            .containsExactlyInAnyOrder("by-setting", "by-bean", "by-annotation");
                    assertThat(context.getBean(ScopeRegistry.class).scopes()).isEmpty();
                });
        off.run(context -> assertThat(context).doesNotHaveBean(IdemRestingRoutesAutoConfiguration.class));
        off.withPropertyValues(
                        "idem.http.enabled=" + no,
                        "idem.http.routes[1].path=/x",
                        "idem.http.routes[1].scope=NOT A SCOPE")
                .run(context -> assertThat(context.getBean(OwnedScopes.class).names())
                        .as("a mistake in routes that are off stops nothing")
                        .contains("by-annotation"));
    }

    @Test
    void aRouteThatAsksForAnInboxNeedsAnOutbox() {
        WebApplicationContextRunner asking = app.withPropertyValues(ROUTE, "idem.http.routes[0].inbox=true");

        asking.run(context -> assertThat(context.getStartupFailure()).is(analysed("idem-jdbc")));
        asking.withBean(LedgerOutbox.class, LedgerOutbox::new)
                .run(context -> assertThat(context.getBean(LedgerOutbox.class).scopes())
                        .containsExactly(new Scope("http.shop")));
    }

    @Test
    void aRouteWhoseInboxForgetsBeforeItsRecordsIsRefused() {
        app.withPropertyValues(ROUTE, "idem.http.routes[0].inbox=true", "idem.http.routes[0].retention=8d")
                .withBean(Outbox.class, () -> scope -> new RowsFor(Duration.ofDays(7)))
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("Let the inbox keep them for")));
    }

    @Test
    void anOutboxThatNoRouteAsksForIsNotMade() {
        app.withPropertyValues(ROUTE)
                .withBean(
                        Outbox.class,
                        () -> {
                            throw new IllegalStateException("idem_inbox is missing");
                        },
                        definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void anOutboxOfTheApplicationMustBeTheStoreWhereTheInboxIs() {
        WebApplicationContextRunner inRows = app.withPropertyValues(ROUTE)
                .withBean("inRows", IdempotentExecutor.class, InboxOfStore::executor, bean -> bean.setPrimary(true));

        inRows.withBean(LedgerOutbox.class, LedgerOutbox::new)
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("own LedgerOutbox is not a store")
                        .is(analysed("asStore(store)")));
        inRows.withBean(Outbox.class, () -> scope -> new InboxOfStore())
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aReplayConditionIsRefusedWhereTheInboxIsTheStore() {
        app.withBean("inRows", IdempotentExecutor.class, InboxOfStore::executor, bean -> bean.setPrimary(true))
                .withBean(Outbox.class, () -> scope -> new InboxOfStore())
                .withBean(
                        IdempotentRoute.class,
                        () -> IdempotentRoute.post("/orders").with(options -> options.replayCondition(record -> true)))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("idem.store=inbox, cannot have a replayCondition"));
    }

    @Test
    void anInboxThatIsTheStoreNeedNotBeAskedForByALastPhase() {
        WebApplicationContextRunner last = app.withPropertyValues(
                        ROUTE, "idem.http.routes[0].inbox-transaction=last-phase")
                .withBean(Outbox.class, () -> scope -> new InboxOfStore());

        last.withBean("inRows", IdempotentExecutor.class, InboxOfStore::executor, bean -> bean.setPrimary(true))
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("has only transactions for whole work"));
        last.run(context -> assertThat(context.getStartupFailure())
                .hasMessageContaining(
                        "idem.http.routes[0]: a route whose transaction is its last phase needs an inbox"));
        last.withBean(
                        IdempotentRoute.class,
                        () -> IdempotentRoute.post("/bean")
                                .with(options -> options.inboxTransaction(InboxTransaction.LAST_PHASE)))
                .withBean(
                        ScopePolicies.class,
                        () -> ScopePolicies.same(ExecutionPolicy.defaults()).forgetful())
                .run(context -> assertThat(context.getStartupFailure())
                        .as("switched off, the route has the inbox that only its store implied")
                        .hasMessageContaining("has only transactions for whole work"));
    }

    /** An inbox of which only the start is looked at. */
    private record RowsFor(Duration retention) implements Inbox {

        @Override
        public InboxOutcome run(Request request, InboxWork work) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Effect> find(RecordId record) {
            return Optional.empty();
        }
    }

    @Test
    void filtersBehindAreKnownWithoutAContainerToo() {
        WebApplicationContextRunner single = app.withPropertyValues(ROUTE, "idem.http.tenant=SINGLE");

        single.withUserConfiguration(Guarded.class)
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.filters-behind")));
        single.withUserConfiguration(Guarded.class)
                .withPropertyValues("guarded=/admin/*")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @ValueSource(strings = {"false", "off", "no", "0"})
    void theFilterCanBeSwitchedOff(String off) {
        app.withPropertyValues(ROUTE, "idem.http.enabled=" + off)
                .run(context -> assertThat(context).doesNotHaveBean(FilterRegistrationBean.class));
    }

    @Test
    void partsBackOffForTheApplicationsOwn() {
        app.withPropertyValues(ROUTE)
                .withBean(TenantResolver.class, TenantResolver::single)
                .withBean("ownBody", ErrorBody.class, io.idem.http.internal.admission.ProblemDetailBody::new)
                .run(context -> {
                    assertThat(context).hasSingleBean(TenantResolver.class);
                    assertThat(context).getBeanNames(ErrorBody.class).containsExactly("ownBody");
                });
    }

    @Test
    void withoutAuthenticationTheTenantMustBeDecided() {
        WebApplicationContextRunner unauthenticated =
                app.withPropertyValues(ROUTE).withClassLoader(new FilteredClassLoader(SecurityFilterChain.class));

        unauthenticated.run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.tenant=SINGLE")));
        unauthenticated
                .withPropertyValues("idem.http.tenant=SINGLE")
                .run(context -> assertThat(context).hasNotFailed());
        unauthenticated
                .withBean(TenantResolver.class, TenantResolver::principal)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @ParameterizedTest
    @CsvSource({
        "idem.http.tenant=JWT_CLAIM, idem.http.tenant-from.claim",
        "idem.http.tenant=API_KEY, idem.http.tenant-from.header",
        "idem.http.tenant=API_KEY;idem.http.tenant-from.header=X-API-Key, idem.http.tenant-from.api-keys"
    })
    void whatATenantIsFoundByMustBeSet(String settings, String remedy) {
        app.withPropertyValues(ROUTE)
                .withPropertyValues(settings.split(";"))
                .run(context -> assertThat(context.getStartupFailure()).is(analysed(remedy)));
    }

    @Test
    void aTenantThatAProxyNamesIsLeftToAResolver() {
        WebApplicationContextRunner proxied = app.withPropertyValues(ROUTE, "idem.http.tenant=proxy-header");

        proxied.run(context -> assertThat(context.getStartupFailure()).is(analysed("Add a TenantResolver bean")));
        proxied.withBean(TenantResolver.class, TenantResolver::principal)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void withoutApplicationNameTheScopeMustBeSet() {
        app.withPropertyValues(ROUTE, "spring.application.name=")
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.scope")));
    }

    @Test
    void anApplicationNameThatFitsNoScopeIsRefused() {
        app.withPropertyValues(ROUTE, "spring.application.name=My Shop")
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.scope")));
    }

    /** H-14 */
    @Test
    void aRegistrationThatMissesAsyncDispatchesIsRefused() {
        app.withPropertyValues(ROUTE)
                .withUserConfiguration(RequestOnly.class)
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("ASYNC")));
    }

    @Test
    void aConfiguredSafeMethodIsRefused() {
        app.withPropertyValues(ROUTE, "idem.http.routes[0].methods=GET")
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http")));
    }

    @Test
    void anAnnotatedSafeMethodIsRefused() {
        app.withUserConfiguration(AnnotatedGet.class)
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("@Idempotent")));
    }

    @Test
    void anAnnotatedHandlerWhosePathIsNoPatternIsRefused() {
        app.withUserConfiguration(AnnotatedPost.class)
                .withPropertyValues("spring.mvc.pathmatch.matching-strategy=ant_path_matcher")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasMessageContaining("AnnotatedPost.place")
                        .hasMessageContaining("remove spring.mvc.pathmatch.matching-strategy=ant_path_matcher"));
    }

    @Test
    void aBodyLimitThatDoesNotFitIntoMemoryIsRefused() {
        app.withPropertyValues(ROUTE, "idem.http.max-request-body=2GB")
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http.max-request-body")));
    }

    @ParameterizedTest
    @CsvSource({
        "idem.http.headers.retention=Not a name, idem.http.headers.retention",
        "idem.http.fingerprint.leave-out=/sentAt, idem.http",
        "idem.http.routes[0].fingerprint.canonical-json=true;idem.http.routes[0].fingerprint.leave-out=sentAt, idem.http"
    })
    void whatARouteCannotTellOrCompareIsRefused(String settings, String remedy) {
        app.withPropertyValues(ROUTE)
                .withPropertyValues(settings.split(";"))
                .run(context -> assertThat(context.getStartupFailure()).is(analysed(remedy)));
    }

    @Test
    void aFilterForCorsIsThereWithoutASetting() {
        app.withPropertyValues(ROUTE).run(context -> assertThat(context).hasBean("idemCorsFilterRegistration"));
    }

    @Test
    void anImpossibleKeyLengthIsRefused() {
        app.withPropertyValues(ROUTE, "idem.http.max-key-length=5000")
                .run(context -> assertThat(context.getStartupFailure()).is(analysed("idem.http")));
    }

    private static Condition<Throwable> analysed(String remedy) {
        return new Condition<>(
                failure -> {
                    ConfigurationException refused = Causes.find(failure, ConfigurationException.class);
                    return refused != null && refused.action().contains(remedy);
                },
                "a failure whose analysis advises %s",
                remedy);
    }

    @Configuration(proxyBeanMethods = false)
    static class Engine {

        @Bean
        IdempotencyStore store() {
            return new InMemoryIdempotencyStore();
        }

        @Bean
        ExecutionPolicy policy() {
            return ExecutionPolicy.defaults();
        }

        @Bean
        IdempotentExecutor executor(IdempotencyStore store) {
            return IdempotentExecutor.on(store).build();
        }

        @Bean
        ScopeRegistry registry(IdempotencyStore store) {
            return new ScopeRegistry(() -> store);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class RequestOnly {

        @Bean
        FilterRegistrationBean<IdempotencyServletFilter> registration(IdempotencyFilterParts parts) {
            FilterRegistrationBean<IdempotencyServletFilter> registration =
                    new FilterRegistrationBean<>(parts.filter());
            registration.setDispatcherTypes(DispatcherType.REQUEST);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Guarded {

        @Bean
        FilterRegistrationBean<ServletGuards.Guard> guard(@Value("${guarded:/*}") String pattern) {
            FilterRegistrationBean<ServletGuards.Guard> registration =
                    new FilterRegistrationBean<>(new ServletGuards.Guard());
            registration.addUrlPatterns(pattern);
            return registration;
        }
    }

    @RestController
    static class AnnotatedPost {

        @Idempotent
        @PostMapping("/orders")
        String place() {
            return "";
        }
    }

    @RestController
    static class AnnotatedWithScope {

        @Idempotent(scope = "by-annotation")
        @PostMapping("/annotated")
        String place() {
            return "";
        }
    }

    @RestController
    static class AnnotatedGet {

        @Idempotent
        @GetMapping("/orders")
        String list() {
            return "";
        }
    }

    /** As libraries do that make a context for each of their clients when one is injected. */
    @Configuration(proxyBeanMethods = false)
    static class ContextBelow {

        @Bean(destroyMethod = "close")
        GenericApplicationContext below(ApplicationContext application) {
            GenericApplicationContext below = new GenericApplicationContext(application);
            below.refresh();
            return below;
        }
    }

    @Test
    void aContextBelowMayBeMadeDuringTheStartAndClosedAtAnyTime() {
        app.withUserConfiguration(ContextBelow.class).withPropertyValues(ROUTE).run(context -> {
            assertThat(context).hasNotFailed();

            context.getBean("below", GenericApplicationContext.class).close();

            assertThat(context.getBean(WaitingRoom.class).enter(Duration.ofSeconds(1)))
                    .isPresent();
        });
    }
}
