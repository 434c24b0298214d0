package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.idem.Idempotent;
import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import io.idem.http.contract.Unwritable;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.WebMvcRegistrations;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.support.AnnotationConfigWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Applications whose dispatcher servlets, adapters and transaction managers are not those of Boot. */
class HandlerContextsTest {

    private final String key = Client.newKey();

    private static App start(Class<?> application, String... more) {
        String[] settings = new String[more.length + 2];
        settings[0] = "idem.http.tenant=SINGLE";
        settings[1] = "idem.http.routes[0].path=/**";
        System.arraycopy(more, 0, settings, 2, more.length);
        return App.start(WebApplicationType.SERVLET, application, settings);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/second/function", "/second/method"})
    void anAnswerOfAnotherDispatcherServletIsReplayed(String path) {
        try (App app = start(SecondDispatcher.class)) {
            app.client().post(path, key);

            assertThat(app.client().post(path, key).replayed()).isTrue();
            assertThat(app.bean(Runs.class).of(key)).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/second/getter", "/second/function/getter"})
    void workOfAnotherDispatcherServletIsNotDoneAgainForItsAnswer(String path) {
        try (App app = start(SecondDispatcher.class)) {
            app.client().post(path, key);

            assertThat(app.client().post(path, key).body()).contains("urn:idem:problem:answer-not-kept");
            assertThat(app.bean(Runs.class).of(key)).isEqualTo(1);
        }
    }

    @Test
    void aCommitInAnotherDispatcherServletsContextKeepsTheLease() {
        try (App app = start(SecondDispatcher.class)) {
            assertThat(app.client().post("/second/commits", key).status()).isEqualTo(500);
            assertThat(app.client().post("/second/commits", key).body()).contains("urn:idem:problem:in-progress");
        }
    }

    @Test
    void aCommitOfAManagerOfTheContextAboveKeepsTheLease() throws Exception {
        try (ConfigurableApplicationContext child = new SpringApplicationBuilder(Above.class)
                .web(WebApplicationType.NONE)
                .child(Below.class)
                .web(WebApplicationType.SERVLET)
                .run(
                        "--server.port=0",
                        "--spring.application.name=shop",
                        "--idem.http.tenant=SINGLE",
                        "--idem.http.routes[0].path=/**",
                        "--spring.autoconfigure.exclude=" + JettyServletWebServerAutoConfiguration.class.getName())) {
            post(child);

            assertThat(post(child)).contains("urn:idem:problem:in-progress");
            assertThat(child.getBean(Runs.class).of(key)).isEqualTo(1);
        }
    }

    private String post(ConfigurableApplicationContext application) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/raw");
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header(Client.KEY, key)
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void aCommitOfAServletKeepsTheLeaseWithoutBootsFilters() {
        try (App app = start(OwnMvc.class)) {
            assertThat(app.client().post("/raw", key).status()).isEqualTo(500);
            assertThat(app.client().post("/raw", key).body()).contains("urn:idem:problem:in-progress");
        }
    }

    @Test
    void aFailureInAnAdapterOfTheApplicationsOwnClassKeepsTheLease() {
        try (App app = start(OwnAdapter.class)) {
            assertThat(app.client().post("/getter", key).status()).isEqualTo(500);
            assertThat(app.client().post("/getter", key).body()).contains("urn:idem:problem:in-progress");
            assertThat(app.bean(Runs.class).of(key)).isEqualTo(1);
        }
    }

    @Test
    void aFileThatTheDefaultServletDoesNotFindFreesTheKey() {
        try (App app =
                start(Shopping.class, "spring.mvc.servlet.path=/api", "server.servlet.register-default-servlet=true")) {
            assertThat(app.client().post("/later", key).status()).isEqualTo(404);
            assertThat(app.client().post("/later", key).replayed()).isFalse();
        }
    }

    @Test
    void aDispatcherServletThatDoesNotDetectAdaptersIsRefused() {
        assertThatThrownBy(() -> start(NoDetection.class).close())
                .rootCause()
                .hasMessageContaining("detectAllHandlerAdapters=false");
    }

    @Test
    void aRegisteredDispatcherServletThatDoesNotDetectAdaptersIsRefused() {
        assertThatThrownBy(() ->
                        start(NoDetectionInSecond.class, "test.mappings=true").close())
                .rootCause()
                .hasMessageContaining("\"second\" has detectAllHandlerAdapters=false");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aDispatcherServletThatDoesNotDetectMappingsIsWarnedOfOnce(CapturedOutput output) {
        start(NoDetectionInSecond.class, "test.mappings=false").close();

        assertThat(output).containsOnlyOnce("\"second\" has detectAllHandlerMappings=false");
    }

    @Test
    void aRequestThatFailsBeforeItsWorkBeginsFreesItsKey() {
        try (App app = start(BrokenRequests.class)) {
            assertThat(app.client()
                            .post("/method", key, request -> request.header("X-Broken", "1"))
                            .status())
                    .isEqualTo(500);

            assertThat(app.client().post("/method", key).body()).isEqualTo("run 1");
        }
    }

    @Test
    void anAnnotatedHandlerOfAnotherDispatcherServletIsRefusedWithoutARoute() {
        assertThatThrownBy(() -> annotated("/elsewhere").close())
                .rootCause()
                .hasMessageContaining("The handler of POST /annotated/{id} is @Idempotent and not protected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/annotated/*", "/annotated/{number}"})
    void anAnnotatedHandlerOfAnotherDispatcherServletIsProtectedByARoute(String route) {
        try (App app = annotated(route)) {
            app.client().post("/second/annotated/7", key);

            assertThat(app.client().post("/second/annotated/7", key).replayed()).isTrue();
        }
    }

    /** Their paths are an expression of settings, and a variable with a regular expression. */
    @ParameterizedTest
    @ValueSource(strings = {"/numbered/{number:[0-9]+}", "/numbered/*"})
    void annotatedHandlersWithExpressionsAreProtectedByRoutes(String numbered) {
        try (App app = expressions("/placed/*", numbered)) {
            for (String path : List.of("/second/placed/7", "/second/numbered/7")) {
                app.client().post(path, key + path.length());

                assertThat(app.client().post(path, key + path.length()).replayed())
                        .as(path)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"/elsewhere, /numbered/*", "/placed/*, /elsewhere", "/placed/*, /numbered/{id:[a-z]+}"})
    void annotatedHandlersWithExpressionsAreRefusedWithoutRoutes(String placed, String numbered) {
        assertThatThrownBy(() -> expressions(placed, numbered).close())
                .rootCause()
                .hasMessageContaining("is @Idempotent and not protected");
    }

    private static App expressions(String placed, String numbered) {
        return App.start(
                WebApplicationType.SERVLET,
                ExpressionsInSecond.class,
                "idem.http.tenant=SINGLE",
                "shop.place=/placed",
                "idem.http.routes[0].path=" + placed,
                "idem.http.routes[1].path=" + numbered);
    }

    @Test
    void anAnnotatedHandlerThatIsRegisteredAfterTheRoutesIsRefused() {
        assertThatThrownBy(() -> registeredLate("/elsewhere").close())
                .hasMessageContaining("The handler of POST /late/{id} is @Idempotent and not protected");
    }

    @Test
    void anAnnotatedHandlerThatIsRegisteredLaterIsProtectedByARoute() {
        try (App app = registeredLate("/late/*")) {
            app.client().post("/late/7", key);

            assertThat(app.client().post("/late/7", key).replayed()).isTrue();
        }
    }

    private static App registeredLate(String route) {
        return App.start(
                WebApplicationType.SERVLET,
                LateRegistration.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=" + route);
    }

    private static App annotated(String route) {
        return App.start(
                WebApplicationType.SERVLET,
                AnnotatedInSecond.class,
                "idem.http.tenant=SINGLE",
                "idem.http.routes[0].path=" + route);
    }

    @RestController
    static class Handlers {

        private final Runs runs;

        Handlers(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/method")
        String method(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }

        @PostMapping("/getter")
        Unwritable getter(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return new Unwritable();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
    static class Shopping {}

    @Import(Shopping.class)
    @Configuration(proxyBeanMethods = false)
    static class LateRegistration {

        @Bean
        ApplicationRunner plugIn(@Qualifier("requestMappingHandlerMapping") RequestMappingHandlerMapping mapping)
                throws ReflectiveOperationException {
            Method handler = Plugin.class.getDeclaredMethod("handle");
            return arguments -> mapping.registerMapping(
                    RequestMappingInfo.paths("/late/{id}")
                            .methods(RequestMethod.POST)
                            .options(mapping.getBuilderConfiguration())
                            .build(),
                    new Plugin(),
                    handler);
        }
    }

    /** Handlers that are no beans. */
    static class Plugin {

        @Idempotent
        @ResponseBody
        String handle() {
            return "done";
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class SecondDispatcher {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second() {
            return dispatcher(Second.class);
        }
    }

    private static ServletRegistrationBean<DispatcherServlet> dispatcher(Class<?> configuration) {
        AnnotationConfigWebApplicationContext context = new AnnotationConfigWebApplicationContext();
        context.register(configuration);
        ServletRegistrationBean<DispatcherServlet> registration =
                new ServletRegistrationBean<>(new DispatcherServlet(context), "/second/*");
        registration.setName("second");
        return registration;
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class AnnotatedInSecond {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second() {
            ServletRegistrationBean<DispatcherServlet> second = dispatcher(SecondAnnotated.class);
            second.setLoadOnStartup(1);
            return second;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class ExpressionsInSecond {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second() {
            ServletRegistrationBean<DispatcherServlet> second = dispatcher(SecondExpressions.class);
            second.setLoadOnStartup(1);
            return second;
        }
    }

    @EnableWebMvc
    @RestController
    static class SecondExpressions {

        @Idempotent
        @PostMapping("${shop.place}/{id}")
        String placed() {
            return "placed";
        }

        @Idempotent
        @PostMapping("/numbered/{id:[0-9]+}")
        String numbered() {
            return "numbered";
        }
    }

    @EnableWebMvc
    @RestController
    static class SecondAnnotated {

        @Idempotent
        @PostMapping("/annotated/{id}")
        String annotated() {
            return "annotated";
        }
    }

    @EnableWebMvc
    @Import(Handlers.class)
    static class Second {

        @Bean
        PlatformTransactionManager secondManager() {
            return new HandlerAnswersTest.Manager();
        }

        @Bean
        RouterFunction<ServerResponse> functions(Runs runs, PlatformTransactionManager manager) {
            TransactionTemplate transaction = new TransactionTemplate(manager);
            return RouterFunctions.route()
                    .POST(
                            "/function",
                            request -> ServerResponse.ok()
                                    .body("run " + runs.enter(request.headers().firstHeader(Client.KEY))))
                    .POST("/function/getter", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.ok().body(new Unwritable());
                    })
                    .POST("/commits", request -> {
                        transaction.executeWithoutResult(
                                status -> runs.enter(request.headers().firstHeader(Client.KEY)));
                        throw new IllegalStateException("after the commit");
                    })
                    .build();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Above {

        @Bean
        PlatformTransactionManager transactionManager() {
            return new HandlerAnswersTest.Manager();
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(Above.class)
    @EnableWebMvc
    static class OwnMvc extends Below {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class Below {

        @Bean
        ServletRegistrationBean<HttpServlet> raw(Runs runs, PlatformTransactionManager manager) {
            return new ServletRegistrationBean<>(
                    new HandlerAnswersTest.Raw(runs, new TransactionTemplate(manager)) {

                        private static final long serialVersionUID = 1L;

                        @Override
                        protected void doPost(
                                jakarta.servlet.http.HttpServletRequest request,
                                jakarta.servlet.http.HttpServletResponse response) {
                            commit(request.getHeader(Client.KEY));
                        }
                    },
                    "/raw");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
    static class OwnAdapter {

        @Bean
        WebMvcRegistrations registrations() {
            return new WebMvcRegistrations() {
                @Override
                public RequestMappingHandlerAdapter getRequestMappingHandlerAdapter() {
                    return new RequestMappingHandlerAdapter() {};
                }
            };
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
    static class NoDetection {

        @Bean
        DispatcherServlet dispatcherServlet() {
            DispatcherServlet servlet = new DispatcherServlet();
            servlet.setDetectAllHandlerAdapters(false);
            return servlet;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class})
    static class NoDetectionInSecond {

        @Bean
        ServletRegistrationBean<DispatcherServlet> second(@Value("${test.mappings}") boolean mappings) {
            ServletRegistrationBean<DispatcherServlet> second = dispatcher(Second.class);
            DispatcherServlet servlet = Objects.requireNonNull(second.getServlet());
            servlet.setDetectAllHandlerMappings(mappings);
            servlet.setDetectAllHandlerAdapters(!mappings);
            return second;
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Handlers.class})
    static class BrokenRequests {

        /** Requests that take no attribute of the handler's run. */
        @Bean
        FilterRegistrationBean<Filter> breaking() {
            FilterRegistrationBean<Filter> filter =
                    new FilterRegistrationBean<>((request, response, chain) -> chain.doFilter(
                            new HttpServletRequestWrapper((HttpServletRequest) request) {
                                @Override
                                public void setAttribute(String name, Object value) {
                                    if (getHeader("X-Broken") != null && name.endsWith("HandlerRun")) {
                                        throw new IllegalStateException("ordered by a test");
                                    }
                                    super.setAttribute(name, value);
                                }
                            },
                            response));
            filter.setOrder(-100);
            return filter;
        }
    }
}
