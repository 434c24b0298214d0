package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.http.TenantResolver;
import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import io.idem.http.internal.admission.WaitingRoom;
import jakarta.annotation.PreDestroy;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.MDC;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.DelegatingFilterProxyRegistrationBean;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.ResponseEntity;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.security.web.context.NullSecurityContextRepository;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.annotation.RequestScope;
import org.springframework.web.filter.CompositeFilter;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.filter.ShallowEtagHeaderFilter;
import org.springframework.web.servlet.resource.ResourceUrlEncodingFilter;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** Applications in which a request that has waited would not find what it had at first wait on their threads; all others do not. */
@Tag("servers")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class WaitSurroundingsTest {

    private static final String WARNING = "hold a thread each";

    /** A duplicate of a running request, of a caller with a pass or of one without, while the first one is let go on. */
    private static Answer second(App app, String path, boolean pass) {
        Runs runs = app.bean(Runs.class);
        String key = Client.newKey();
        runs.shut(key);
        CompletableFuture<Answer> first = send(app, path, key, true);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Answer> second = send(app, path, key, pass);
        await().until(() -> app.bean(WaitingRoom.class).waiting() == 1);
        runs.open(key);
        first.join();
        Answer answer = second.join();
        assertThat(runs.of(key)).isEqualTo(path.endsWith("/fails-once") && pass ? 2 : 1);
        return answer;
    }

    private static CompletableFuture<Answer> send(App app, String path, String key, boolean pass) {
        return app.client()
                .sendAsync(app.client()
                        .request(path)
                        .header(Client.KEY, key)
                        .header("Authorization", "Basic YWxpY2U6YWxpY2U=")
                        .header(pass ? "X-Pass" : "X-No-Pass", "yes")
                        .POST(BodyPublishers.ofString("{}")));
    }

    private static App start(Class<?> application, String setting) {
        return App.start(
                WebApplicationType.SERVLET,
                application,
                "idem.http.routes[0].path=/around/**",
                "idem.http.routes[0].wait-for=20s",
                setting);
    }

    List<Object[]> held() {
        String none = "idem.http.max-waiting=50";
        return List.of(
                new Object[] {Restricted.class, none, "restricted ("},
                new Object[] {Delegating.class, none, "target ("},
                new Object[] {
                    Basic.class, "spring.security.filter.dispatcher-types=request", "springSecurityFilterChain"
                },
                new Object[] {NothingKept.class, none, "SecurityContextRepository"},
                new Object[] {BodyLog.class, none, ContentCachingResponseWrapper.class.getName()},
                new Object[] {ScopedBean.class, none, "a bean of the request's scope"},
                new Object[] {Bound.class, none, Binding.class.getName()},
                new Object[] {BoundInTheChain.class, none, Binding.class.getName()});
    }

    @ParameterizedTest
    @MethodSource("held")
    void aDuplicateThatWouldNotFindAllAroundItWaitsOnItsThread(
            Class<?> application, String setting, String cause, CapturedOutput output) {
        try (App app = start(application, setting)) {
            Answer own = second(app, "/around/fails-once", true);
            Answer replay = second(app, "/around/run", true);

            assertThat(own.body()).isEqualTo("run 2 for alice");
            assertThat(own.header("X-Dispatch")).isEqualTo("REQUEST");
            assertThat(replay.body()).isEqualTo("run 1 for alice");
            assertThat(replay.replayed()).isTrue();
            assertThat(output.getAll().split(WARNING)).as("one warning").hasSize(2);
            assertThat(output).contains(cause);
        }
    }

    List<Object[]> furtherHeld() {
        String none = "idem.http.max-waiting=50";
        return List.of(
                new Object[] {Composite.class, none, "composite ("},
                new Object[] {Initializer.class, none, "initialized ("},
                new Object[] {RestrictedEtag.class, none, "restricted (" + ShallowEtagHeaderFilter.class.getName()},
                new Object[] {SessionOnly.class, none, "SecurityContextRepository"},
                new Object[] {BodyLogOfTheChain.class, none, ContentCachingResponseWrapper.class.getName()},
                new Object[] {ReplacedResponse.class, none, "$Proxy"});
    }

    @ParameterizedTest
    @MethodSource("furtherHeld")
    @Tag("extended")
    void otherSurroundingsMakeADuplicateWaitOnItsThread(
            Class<?> application, String setting, String cause, CapturedOutput output) {
        aDuplicateThatWouldNotFindAllAroundItWaitsOnItsThread(application, setting, cause, output);
    }

    List<Class<?>> guarded() {
        return List.of(Restricted.class, Delegating.class, EveryDispatch.class);
    }

    @ParameterizedTest
    @MethodSource("guarded")
    void aDuplicateThatHasWaitedRunsOnlyIfTheFiltersBehindAdmitIt(Class<?> application) {
        try (App app = start(application, "idem.http.max-waiting=50")) {
            assertThat(second(app, "/around/fails-once", false).status()).isEqualTo(401);
        }
    }

    List<Class<?>> furtherGuarded() {
        return List.of(Composite.class, Initializer.class, Default.class);
    }

    @ParameterizedTest
    @MethodSource("furtherGuarded")
    @Tag("extended")
    void otherFiltersBehindDecideOnADuplicateThatHasWaited(Class<?> application) {
        aDuplicateThatHasWaitedRunsOnlyIfTheFiltersBehindAdmitIt(application);
    }

    List<Class<?>> ordinary() {
        return List.of(Basic.class, LogContext.class, EveryDispatch.class, BoundBehind.class);
    }

    @ParameterizedTest
    @MethodSource("ordinary")
    void aDuplicateOfAnOrdinaryApplicationWaitsWithoutAThread(Class<?> application, CapturedOutput output) {
        try (App app = start(application, "server.forward-headers-strategy=framework")) {
            Answer answer = second(app, "/around/fails-once", true);

            assertThat(answer.body()).isEqualTo("run 2 for alice");
            assertThat(answer.header("X-Dispatch")).isEqualTo("ASYNC");
            assertThat(output).doesNotContain(WARNING);
        }
    }

    List<Class<?>> furtherOrdinary() {
        return List.of(Etag.class, UrlEncoding.class, Default.class);
    }

    @ParameterizedTest
    @MethodSource("furtherOrdinary")
    @Tag("extended")
    void aDuplicateOfAnotherOrdinaryApplicationWaitsWithoutAThread(Class<?> application, CapturedOutput output) {
        aDuplicateOfAnOrdinaryApplicationWaitsWithoutAThread(application, output);
    }

    @Test
    void aDuplicateWithoutACallerWaitsWithoutAThread() {
        try (App app = start(Anonymous.class, "idem.http.max-waiting=50")) {
            Answer answer = second(app, "/around/fails-once", true);

            assertThat(answer.body()).isEqualTo("run 2 for nobody");
            assertThat(answer.header("X-Dispatch")).isEqualTo("ASYNC");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Handlers.class, Shop.Parts.class, Dispatches.class})
    static class Base {

        @Bean
        TenantResolver everybody() {
            return request -> Optional.of("everybody");
        }

        @Bean
        UserDetailsService users() {
            return new InMemoryUserDetailsManager(
                    User.withUsername("alice").password("{noop}alice").build());
        }
    }

    @Import({Base.class, Shop.Open.class})
    static class Anonymous {}

    @Import(Base.class)
    static class Basic {

        @Bean
        SecurityFilterChain basic(HttpSecurity http) throws Exception {
            return secured(http).httpBasic(Customizer.withDefaults()).build();
        }
    }

    private static HttpSecurity secured(HttpSecurity http) throws Exception {
        return http.csrf(CsrfConfigurer::disable)
                .authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(DispatcherType.ERROR)
                        .permitAll()
                        .anyRequest()
                        .authenticated());
    }

    @Import(Base.class)
    static class SessionOnly {

        @Bean
        SecurityFilterChain basic(HttpSecurity http) throws Exception {
            return keeping(http, new HttpSessionSecurityContextRepository())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }
    }

    @Import(Base.class)
    static class NothingKept {

        @Bean
        SecurityFilterChain tokens(HttpSecurity http) throws Exception {
            Filter tokens = filter((request, response, chain) -> {
                SecurityContextHolder.getContext()
                        .setAuthentication(UsernamePasswordAuthenticationToken.authenticated(
                                "alice", "", AuthorityUtils.NO_AUTHORITIES));
                chain.doFilter(request, response);
            });
            return keeping(http, new NullSecurityContextRepository())
                    .addFilterBefore(tokens, AnonymousAuthenticationFilter.class)
                    .build();
        }
    }

    private static HttpSecurity keeping(HttpSecurity http, SecurityContextRepository repository) throws Exception {
        return secured(http).securityContext(context -> context.securityContextRepository(repository));
    }

    @Import(Base.class)
    static class BodyLogOfTheChain {

        @Bean
        SecurityFilterChain basic(HttpSecurity http) throws Exception {
            return secured(http)
                    .httpBasic(Customizer.withDefaults())
                    .addFilterBefore(bodyLog(), AnonymousAuthenticationFilter.class)
                    .build();
        }
    }

    @Import(Basic.class)
    static class BodyLog {

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> front() {
            return at(-60, bodyLog());
        }
    }

    private static OncePerRequestFilter bodyLog() {
        return filter((request, response, chain) -> {
            ContentCachingResponseWrapper cached = new ContentCachingResponseWrapper(response);
            chain.doFilter(request, cached);
            cached.copyBodyToResponse();
        });
    }

    @Import(Basic.class)
    static class ReplacedResponse {

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> front() {
            return at(
                    -60,
                    filter((request, response, chain) ->
                            chain.doFilter(request, (HttpServletResponse) Proxy.newProxyInstance(
                                    getClass().getClassLoader(),
                                    new Class<?>[] {HttpServletResponse.class},
                                    (proxy, method, arguments) -> method.invoke(response, arguments)))));
        }
    }

    @Import(Basic.class)
    static class ScopedBean {

        @Bean
        @RequestScope
        Scoped scoped() {
            return new Scoped();
        }

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> front(Scoped scoped) {
            return at(-60, filter((request, response, chain) -> {
                scoped.begin();
                chain.doFilter(request, response);
            }));
        }
    }

    static class Scoped {

        private @Nullable String state = "new";

        void begin() {
            state = "begun";
        }

        @Nullable String state() {
            return state;
        }

        @PreDestroy
        void end() {
            state = null;
        }
    }

    @Import(Basic.class)
    static class LogContext {

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> front() {
            return at(-60, filter((request, response, chain) -> {
                try (var unused = MDC.putCloseable("request", "seven")) {
                    chain.doFilter(request, response);
                }
            }));
        }
    }

    /** Binds what the handler asks for, and by default does nothing in a dispatch of type ASYNC. */
    static class Binding extends OncePerRequestFilter {

        static final ThreadLocal<String> TENANT = new ThreadLocal<>();

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            TENANT.set("north");
            try {
                chain.doFilter(request, response);
            } finally {
                TENANT.remove();
            }
        }
    }

    @Import(Basic.class)
    static class Bound {

        @Bean
        FilterRegistrationBean<Binding> front() {
            return at(-60, new Binding());
        }
    }

    @Import(Basic.class)
    static class BoundBehind {

        @Bean
        FilterRegistrationBean<Binding> behind() {
            return at(0, new Binding());
        }
    }

    @Import(Base.class)
    static class BoundInTheChain {

        @Bean
        SecurityFilterChain basic(HttpSecurity http) throws Exception {
            return secured(http)
                    .httpBasic(Customizer.withDefaults())
                    .addFilterBefore(new Binding(), AnonymousAuthenticationFilter.class)
                    .build();
        }
    }

    @Import(Basic.class)
    static class Etag {

        @Bean
        FilterRegistrationBean<ShallowEtagHeaderFilter> front() {
            return at(-60, new ShallowEtagHeaderFilter());
        }
    }

    @Import(Basic.class)
    static class UrlEncoding {

        @Bean
        FilterRegistrationBean<ResourceUrlEncodingFilter> front() {
            FilterRegistrationBean<ResourceUrlEncodingFilter> registration = at(-60, new ResourceUrlEncodingFilter());
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ERROR);
            return registration;
        }
    }

    @Import(Basic.class)
    static class RestrictedEtag {

        @Bean
        FilterRegistrationBean<ShallowEtagHeaderFilter> restricted() {
            FilterRegistrationBean<ShallowEtagHeaderFilter> registration = at(-60, new ShallowEtagHeaderFilter());
            registration.setDispatcherTypes(DispatcherType.REQUEST);
            return registration;
        }
    }

    @Import(Basic.class)
    static class Default {

        @Bean
        OncePerRequestFilter guard() {
            return filter(WaitSurroundingsTest::guard);
        }
    }

    @Import(Basic.class)
    static class Restricted {

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> restricted() {
            FilterRegistrationBean<OncePerRequestFilter> registration = at(0, filter(WaitSurroundingsTest::guard));
            registration.setDispatcherTypes(DispatcherType.REQUEST);
            return registration;
        }
    }

    @Import(Basic.class)
    static class Composite {

        @Bean
        CompositeFilter composite() {
            CompositeFilter composite = new CompositeFilter();
            composite.setFilters(List.of(filter(WaitSurroundingsTest::guard)));
            return composite;
        }
    }

    @Import(Basic.class)
    static class Target {

        @Bean
        OncePerRequestFilter target() {
            return filter(WaitSurroundingsTest::guard);
        }

        @Bean
        FilterRegistrationBean<OncePerRequestFilter> notByItself(OncePerRequestFilter target) {
            FilterRegistrationBean<OncePerRequestFilter> registration = at(0, target);
            registration.setEnabled(false);
            return registration;
        }
    }

    @Import(Target.class)
    static class Delegating {

        @Bean
        DelegatingFilterProxyRegistrationBean delegating() {
            return new DelegatingFilterProxyRegistrationBean("target");
        }
    }

    @Import(Target.class)
    static class EveryDispatch {

        @Bean
        DelegatingFilterProxyRegistrationBean delegating() {
            DelegatingFilterProxyRegistrationBean registration = new DelegatingFilterProxyRegistrationBean("target");
            registration.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
            return registration;
        }
    }

    @Import(Basic.class)
    static class Initializer {

        @Bean
        ServletContextInitializer initializer() {
            return context -> context.addFilter("initialized", filter(WaitSurroundingsTest::guard))
                    .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
        }
    }

    private static void guard(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request.getHeader("X-Pass") == null) {
            response.setStatus(401);
        } else {
            chain.doFilter(request, response);
        }
    }

    private static <F extends Filter> FilterRegistrationBean<F> at(int order, F filter) {
        FilterRegistrationBean<F> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(order);
        return registration;
    }

    private interface Filtering {

        void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException;
    }

    private static OncePerRequestFilter filter(Filtering filtering) {
        return new OncePerRequestFilter() {
            @Override
            protected boolean shouldNotFilterAsyncDispatch() {
                return false;
            }

            @Override
            protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                    throws ServletException, IOException {
                filtering.filter(request, response, chain);
            }
        };
    }

    /** Tells the client in which dispatch its request was answered. */
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class Dispatches extends OncePerRequestFilter {

        @Override
        protected boolean shouldNotFilterAsyncDispatch() {
            return false;
        }

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            response.setHeader("X-Dispatch", request.getDispatcherType().name());
            chain.doFilter(request, response);
        }
    }

    @RestController
    static class Handlers {

        private final Runs runs;
        private final ObjectProvider<Scoped> scoped;

        Handlers(Runs runs, ObjectProvider<Scoped> scoped) {
            this.runs = runs;
            this.scoped = scoped;
        }

        @PostMapping("/around/run")
        String run(@RequestHeader(Client.KEY) String key, HttpServletRequest request) {
            int run = runs.enter(key);
            scoped.ifAvailable(bean -> assertThat(bean.state()).isEqualTo("begun"));
            String caller = request.getRemoteUser();
            return "run " + run + " for " + (caller == null ? "nobody" : caller);
        }

        @PostMapping("/around/fails-once")
        ResponseEntity<String> failsOnce(@RequestHeader(Client.KEY) String key, HttpServletRequest request) {
            String answer = run(key, request);
            return ResponseEntity.status(answer.startsWith("run 1 ") ? 503 : 200)
                    .body(answer);
        }
    }
}
