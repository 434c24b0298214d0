package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.idem.IdempotencyContext;
import io.idem.http.IdempotentRoute;
import io.idem.http.StoredAnswers;
import io.idem.http.contract.AnswersPolicy;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Coded;
import io.idem.http.contract.HandlerAnswersContract;
import io.idem.http.contract.RawConnection;
import io.idem.http.contract.Runs;
import io.idem.http.contract.Unwritable;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.MethodBeforeAdvice;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.http.server.ServerHttpRequest;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.View;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RequestPredicates;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyAdvice;
import org.springframework.web.servlet.support.RequestContextUtils;

@AppTest(
        value = HandlerAnswersTest.Answering.class,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.filters-behind=behind",
            "idem.http.routes[0].path=/answers/**",
            "idem.http.routes[1].path=/functional/**"
        })
class HandlerAnswersTest extends HandlerAnswersContract {

    private final App app;
    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    HandlerAnswersTest(App app) {
        super(app);
        this.app = app;
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/answers/commits",
                "/answers/commits/later",
                "/functional/commits",
                "/functional/commits/filtered"
            })
    void workThatFailedAfterItsCommitIsNotDoneAgainBeforeATakeover(String path) {
        assertThat(client.post(path, key).status()).isEqualTo(500);
        assertThat(client.post(path, key).body()).contains("urn:idem:problem:in-progress");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/answers/rolls-back", "/answers/reads"})
    void workThatFailedWithoutACommitIsDoneAgain(String path) {
        assertThat(client.post(path, key).status()).isEqualTo(500);
        assertThat(client.post(path, key).status()).isEqualTo(500);
        assertThat(runs.of(key)).isEqualTo(2);
    }

    /** The interceptor writes its audit in a transaction of its own. */
    @Test
    void whatIsCommittedAfterTheWorkFailedDoesNotHoldItsKey() {
        assertThat(post("/answers/fails", "X-Audit", "yes").status()).isEqualTo(500);
        assertThat(post("/answers/fails", "X-Audit", "yes").status()).isEqualTo(500);
        assertThat(runs.of(key)).isEqualTo(2);
    }

    /** A server of HTTP/1.0 that says no length hangs up behind the body. */
    @ParameterizedTest
    @ValueSource(strings = {"X-Prefix: )]}'\r\n", ""})
    void aReplayInHttp10IsWholeWithALengthAndWithout(String prefix) throws IOException {
        client.post("/answers/list", key);
        try (RawConnection old = new RawConnection(app)) {
            old.send("POST /answers/list HTTP/1.0\r\n" + prefix + Client.KEY + ": " + key
                    + "\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");

            assertThat(old.answer())
                    .containsIgnoringCase("Idempotency-Replayed: true")
                    .endsWith("\r\n\r\n" + (prefix.isEmpty() ? "" : ")]}'") + "[{\"run\":1}]");
        }
    }

    @Test
    void workIsNotDoneAgainWhenItsViewCannotBeRendered() {
        assertThat(client.post("/answers/view", key).status()).isEqualTo(500);
        assertThat(client.post("/answers/view", key).body()).contains("urn:idem:problem:answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aServletThatFailedAfterItsCommitIsNotCalledAgain() {
        assertThat(post("/answers/raw/commits", "X-Behind", "swallow").status()).isEqualTo(500);
        assertThat(post("/answers/raw/commits").body()).contains("urn:idem:problem:in-progress");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aServletIsNotCalledAgainAtOnceWhenItsDispatchFailed() {
        assertThat(post("/answers/raw/dispatches").status()).isEqualTo(500);
        assertThat(post("/answers/raw/dispatches").body()).contains("urn:idem:problem:in-progress");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/answers/forward, X-None, none",
        "/functional/forward, X-None, none",
        "/answers/controller, X-None, none",
        "/answers/raw/plain, X-Behind, throw",
        "/answers/raw/plain, X-Behind, error",
        "/answers/account, X-After, error",
        "/answers/account, X-After, status",
        "/answers/account, X-Behind, instead",
        "/answers/raw/plain, X-Behind, instead",
        "/answers/view, X-Behind, catch",
        "/answers/later, X-Async, refuse",
        "/answers/later, X-Async, throw",
        "/answers/stage, X-Async, throw",
        "/answers/later, X-Front, refuse",
        "/answers/nothing, X-Advice, throw"
    })
    void workIsNotDoneAgainWhenAnotherAnswerTakesThePlaceOfItsOwn(String path, String header, String value) {
        Answer first = post(path, header, value);

        assertThat(first.status()).isBetween(400, 599);
        await().untilAsserted(() -> assertThat(post(path).body()).contains("urn:idem:problem:answer-not-kept"));
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/answers/refused/with-reason, X-None, none",
        "/answers/refused/view, X-None, none",
        "/answers/refused/text, X-After, throw",
        "/answers/refused/text, X-Behind, throw",
        "/answers/later/refused/text, X-Async, refuse"
    })
    void workThatItsOwnAnswerCallsFailedIsDoneAgainWhateverFollows(String path, String header, String value) {
        assertThat(post(path, header, value).status()).isBetween(400, 599);

        await().untilAsserted(() -> assertThat(post(path).body()).doesNotContain("urn:idem:problem"));
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @Test
    void aForwardOfAnInterceptorIsNotTheHandlersAnswer() {
        Answer login = post("/answers/account", "X-Forward", "yes");
        Answer answer = post("/answers/account");

        assertThat(login.body()).isEqualTo("please log in");
        assertThat(answer.replayed()).isFalse();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "/answers/number-of-a-page?n=many, 200",
        "/answers/unsupported, 500",
        "/answers/page, 405",
        "/answers/moved, 405",
        "/answers/guarded, 302"
    })
    void anAnswerWithoutTheHandlersWorkFreesTheKey(String path, int status) {
        assertThat(post(path).status()).isEqualTo(status);

        Answer second = post(path);
        assertThat(second.status()).isEqualTo(status);
        assertThat(second.replayed()).isFalse();
        assertThat(runs.of(key)).isZero();
    }

    @Test
    void theAnswerThatTheHandlerHasForItsTimeoutIsReplayed() {
        assertThat(post("/answers/late").body()).isEqualTo("late");
        assertThat(post("/answers/late").replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
    }

    private Answer post(String path, String... headers) {
        return client.post(path, key, request -> headers.length == 0 ? request : request.headers(headers));
    }

    /** Thrown without a stack trace, so that only the call itself tells where it came from. */
    static final class Teapot extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Teapot() {
            super("ordered by a test", null, false, false);
        }
    }

    /** A parameter that cannot be resolved. */
    record Impossible() {}

    @RestController
    static class Answers {

        private final Runs runs;
        private final TransactionTemplate transaction;
        private final TransactionTemplate reading;

        Answers(Runs runs, PlatformTransactionManager manager) {
            this.runs = runs;
            this.transaction = new TransactionTemplate(manager);
            this.reading = new TransactionTemplate(manager);
            reading.setReadOnly(true);
        }

        @PostMapping("/answers/account")
        String account(@RequestHeader(Client.KEY) String key) {
            return "run " + runs.enter(key);
        }

        @GetMapping("/answers/for-get")
        String forGet() {
            return "got";
        }

        @PostMapping("/answers/number")
        String number(@RequestHeader(Client.KEY) String key, @RequestParam int n) {
            return n + " " + runs.enter(key);
        }

        @PostMapping("/answers/resolved")
        String resolved(@RequestHeader(Client.KEY) String key, Impossible impossible) {
            return impossible + " " + runs.enter(key);
        }

        @PostMapping("/answers/throws")
        String fails(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            throw new Teapot();
        }

        @PostMapping("/answers/throws/without/arguments")
        String fails() {
            throw new Teapot();
        }

        @PostMapping({"/answers/status/{status}", "/everything/{status}"})
        ResponseEntity<Void> status(@PathVariable int status) {
            return ResponseEntity.status(status)
                    .header(HttpHeaders.LOCATION, "/elsewhere")
                    .build();
        }

        @PostMapping("/answers/list")
        java.util.List<Map<String, Integer>> list(@RequestHeader(Client.KEY) String key) {
            return java.util.List.of(Map.of("run", runs.enter(key)));
        }

        @PostMapping("/answers/void")
        @ResponseStatus(org.springframework.http.HttpStatus.OK)
        void nothing(HttpServletResponse response) {
            response.setStatus(200);
        }

        @PostMapping("/answers/nothing")
        void nothing(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
        }

        @PostMapping("/answers/resource")
        Resource resource() {
            return new ByteArrayResource("the whole resource".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        }

        @PostMapping("/answers/coded/{kind}")
        ResponseEntity<byte[]> coded(@PathVariable String kind) {
            Coded coded = Coded.of(kind);
            return ResponseEntity.ok()
                    .eTag("\"v1\"")
                    .header(HttpHeaders.CONTENT_ENCODING, coded.coding())
                    .header("Content-Digest", "sha-256=:AA==:")
                    .body(coded.body());
        }

        @PostMapping("/answers/envelope/{kind}")
        ResponseEntity<String> envelope(
                @RequestHeader(Client.KEY) String key, @PathVariable String kind, IdempotencyContext context) {
            runs.enter(key);
            if (kind.equals("by-call")) {
                context.answerIsNoResult();
            }
            return ResponseEntity.ok()
                    .header("X-Result", kind.equals("by-header") ? "failure" : "other")
                    .body(kind);
        }

        @PostMapping({"/answers/later", "/answers/unsupported"})
        Callable<String> later(@RequestHeader(Client.KEY) String key, HttpServletRequest request) {
            return () -> "run " + runs.enter(key);
        }

        @PostMapping("/answers/stage")
        CompletionStage<String> stage(@RequestHeader(Client.KEY) String key) {
            return CompletableFuture.supplyAsync(() -> "run " + runs.enter(key));
        }

        @PostMapping("/answers/late")
        DeferredResult<String> late(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return new DeferredResult<>(50L, "late");
        }

        @PostMapping("/answers/getter")
        Unwritable getter(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return new Unwritable();
        }

        @PostMapping("/answers/later/getter")
        Callable<Unwritable> later(@RequestHeader(Client.KEY) String key) {
            return () -> getter(key);
        }

        @PostMapping("/answers/refused")
        ResponseEntity<Unwritable> refused(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.status(503).body(getter(key));
        }

        @PostMapping("/answers/later/refused")
        CompletionStage<ResponseEntity<Unwritable>> laterRefused(@RequestHeader(Client.KEY) String key) {
            return CompletableFuture.supplyAsync(() -> refused(key));
        }

        @PostMapping("/answers/refused/by-annotation")
        @ResponseStatus(org.springframework.http.HttpStatus.TOO_MANY_REQUESTS)
        Unwritable refusedByAnnotation(@RequestHeader(Client.KEY) String key) {
            return getter(key);
        }

        @PostMapping("/answers/refused/by-response")
        Unwritable refused(@RequestHeader(Client.KEY) String key, HttpServletResponse response) {
            response.setStatus(503);
            return getter(key);
        }

        @PostMapping("/answers/refused/with-reason")
        @ResponseStatus(code = org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE, reason = "closed")
        void refusedWithReason(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
        }

        @PostMapping("/answers/refused/text")
        ResponseEntity<String> refusedInText(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.status(503).body("run " + runs.enter(key));
        }

        @PostMapping("/answers/later/refused/text")
        Callable<ResponseEntity<String>> laterRefusedInText(@RequestHeader(Client.KEY) String key) {
            return () -> refusedInText(key);
        }

        @PostMapping("/answers/fails")
        String failing(@RequestHeader(Client.KEY) String key) {
            throw new IllegalStateException("run " + runs.enter(key));
        }

        @PostMapping("/answers/later/fails")
        Callable<String> failingLater(@RequestHeader(Client.KEY) String key) {
            return () -> failing(key);
        }

        @PostMapping("/answers/commits")
        String commits(@RequestHeader(Client.KEY) String key) {
            transaction.executeWithoutResult(status -> runs.enter(key));
            throw new IllegalStateException("after the commit");
        }

        @PostMapping("/answers/commits/later")
        Callable<String> commitsLater(@RequestHeader(Client.KEY) String key) {
            return () -> commits(key);
        }

        @PostMapping("/answers/rolls-back")
        String rollsBack(@RequestHeader(Client.KEY) String key) {
            transaction.executeWithoutResult(status -> {
                runs.enter(key);
                throw new IllegalStateException("before the commit");
            });
            return "never";
        }

        @PostMapping("/answers/reads")
        String reads(@RequestHeader(Client.KEY) String key) {
            reading.executeWithoutResult(status -> runs.enter(key));
            throw new IllegalStateException("after a commit without writes");
        }

        @ExceptionHandler
        ResponseEntity<String> teapot(Teapot teapot) {
            return ResponseEntity.status(418).body("short and stout");
        }
    }

    @RestController
    static class Explaining {

        @PostMapping("/answers/number-of-my-own")
        String number(@RequestParam int n) {
            return "number " + n;
        }

        @ExceptionHandler
        ResponseEntity<String> explained(MethodArgumentTypeMismatchException mismatch, HttpServletRequest request) {
            return ResponseEntity.status(request.getHeader("X-Envelope") == null ? 400 : 200)
                    .body(mismatch.getName() + " is not a number");
        }
    }

    @RestController
    static class Modelled {

        @ModelAttribute
        void before() {
            throw new Teapot();
        }

        @PostMapping("/answers/model/attribute")
        String run() {
            return "never";
        }

        @ExceptionHandler
        ResponseEntity<String> teapot(Teapot teapot) {
            return ResponseEntity.status(418).body("before the handler");
        }
    }

    @ControllerAdvice
    static class Advice implements ResponseBodyAdvice<Object> {

        @Override
        public boolean supports(MethodParameter returned, Class<? extends HttpMessageConverter<?>> converter) {
            return true;
        }

        @Override
        public @Nullable Object beforeBodyWrite(
                @Nullable Object body,
                MethodParameter returned,
                MediaType type,
                Class<? extends HttpMessageConverter<?>> converter,
                ServerHttpRequest request,
                ServerHttpResponse response) {
            if (request.getHeaders().containsHeader("X-Advice")) {
                throw new IllegalStateException("ordered by a test");
            }
            return body;
        }
    }

    /** What handlers and interceptors forward to. */
    @RestController
    static class Targets {

        @RequestMapping("/targets/throws")
        String failing() {
            throw new IllegalStateException("ordered by a test");
        }

        @RequestMapping("/targets/login")
        String login() {
            return "please log in";
        }
    }

    @Controller
    static class Guarded {

        private final Runs runs;

        Guarded(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/answers/guarded")
        String guarded(@RequestHeader(Client.KEY) String key) {
            return "forward:/" + runs.enter(key);
        }

        @ExceptionHandler
        String login(SecurityException notLoggedIn) {
            return "redirect:/login";
        }
    }

    @Controller
    static class Rendering {

        private final Runs runs;

        Rendering(Runs runs) {
            this.runs = runs;
        }

        @PostMapping("/answers/forward")
        String forward(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return "forward:/targets/throws";
        }

        @PostMapping("/answers/number-of-a-page")
        String number(@RequestHeader(Client.KEY) String key, @RequestParam int n) {
            return "forward:/" + n + runs.enter(key);
        }

        @ExceptionHandler
        String explained(MethodArgumentTypeMismatchException mismatch) {
            return "forward:/targets/login";
        }

        @PostMapping("/answers/refused/view")
        ModelAndView refused(@RequestHeader(Client.KEY) String key) {
            ModelAndView refused = new ModelAndView(view(key));
            refused.setStatus(org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE);
            return refused;
        }

        @PostMapping("/answers/view")
        View view(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return (model, request, response) -> {
                throw new IllegalStateException("ordered by a test");
            };
        }
    }

    static class Raw extends HttpServlet {

        private static final long serialVersionUID = 1L;

        private final transient Runs runs;
        private final transient TransactionTemplate transaction;

        Raw(Runs runs, TransactionTemplate transaction) {
            this.runs = runs;
            this.transaction = transaction;
        }

        final void commit(String key) {
            transaction.executeWithoutResult(status -> runs.enter(key));
            throw new IllegalStateException("after the commit");
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String key = request.getHeader(Client.KEY);
            switch (request.getPathInfo()) {
                case "/commits" -> commit(key);
                case "/dispatches" -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        runs.enter(key);
                        async.dispatch("/targets/throws");
                    });
                }
                default -> response.getWriter().print("run " + runs.enter(key));
            }
        }
    }

    static class Manager extends AbstractPlatformTransactionManager {

        private static final long serialVersionUID = 1L;

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({
        Shop.Open.class,
        Shop.Parts.class,
        Answers.class,
        Explaining.class,
        Modelled.class,
        Rendering.class,
        Advice.class,
        Targets.class,
        AnswersPolicy.class
    })
    static class Answering implements WebMvcConfigurer {

        @Bean
        IdempotentRoute everything() {
            return IdempotentRoute.post("/everything/**").with(options -> options.storing(StoredAnswers.EVERYTHING));
        }

        @Bean
        PlatformTransactionManager transactionManager() {
            return new Manager();
        }

        @Bean
        RouterFunction<ServerResponse> functions(Runs runs) {
            return RouterFunctions.route()
                    .POST("/functional/ok", request -> ServerResponse.ok().body("ok"))
                    .add(overruled(runs))
                    .add(refused(runs))
                    .POST("/functional/getter", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.ok().body(new Unwritable());
                    })
                    .POST(
                            "/functional/{status:[0-9]+}",
                            request -> ServerResponse.status(Integer.parseInt(request.pathVariable("status")))
                                    .build())
                    .build();
        }

        private static RouterFunction<ServerResponse> overruled(Runs runs) {
            return RouterFunctions.route()
                    .POST("/functional/overruled", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.status(201).body("done");
                    })
                    .POST("/functional/called-again", request -> {
                        if (runs.enter(request.headers().firstHeader(Client.KEY)) == 1) {
                            throw new IllegalStateException("ordered by a test");
                        }
                        return ServerResponse.seeOther(URI.create("/done")).build();
                    })
                    .filter((request, next) -> {
                        try {
                            ServerResponse answer = next.handle(request);
                            return request.path().endsWith("overruled")
                                    ? ServerResponse.status(503).build()
                                    : answer;
                        } catch (IllegalStateException failure) {
                            return next.handle(request);
                        }
                    })
                    .build();
        }

        /** Functions that say 503, of which the filter throws an exception or calls them again. */
        private static RouterFunction<ServerResponse> refused(Runs runs) {
            HandlerFunction<ServerResponse> refusing = request -> {
                runs.enter(request.headers().firstHeader(Client.KEY));
                return ServerResponse.status(503).body(new Unwritable());
            };
            return RouterFunctions.route()
                    .POST("/functional/refused", refusing)
                    .POST("/functional/refused/filtered", refusing)
                    .POST("/functional/refused/called-again", request -> {
                        if (runs.enter(request.headers().firstHeader(Client.KEY)) == 2) {
                            throw new IllegalStateException("ordered by a test");
                        }
                        return ServerResponse.status(503).body("refused");
                    })
                    .POST("/functional/second/called-again", request -> {
                        int run = runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.status(run == 1 ? 503 : 200).body(new Unwritable());
                    })
                    .filter((request, next) -> {
                        ServerResponse answer = next.handle(request);
                        if (request.path().endsWith("filtered")) {
                            throw new IllegalStateException("ordered by a test");
                        }
                        return request.path().endsWith("called-again") ? next.handle(request) : answer;
                    })
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> filtered() {
            RouterFunction<ServerResponse> own = request -> request.path().equals("/functional/own")
                    ? java.util.Optional.of(asked -> ServerResponse.ok().body("ok"))
                    : java.util.Optional.empty();
            return RouterFunctions.route()
                    .path(
                            "/functional/filtered",
                            routes -> routes.POST(
                                            "/ok",
                                            request -> ServerResponse.ok().body("ok"))
                                    .nest(
                                            RequestPredicates.path("/nested"),
                                            nested -> nested.POST(
                                                    "/ok",
                                                    request ->
                                                            ServerResponse.ok().body("ok")))
                                    .withAttribute("known", "yes"))
                    .add(own)
                    .filter((request, next) -> request.headers().firstHeader("X-Login") == null
                            ? next.handle(request)
                            : ServerResponse.status(
                                            "200".equals(request.headers().firstHeader("X-Login")) ? 200 : 302)
                                    .header("Location", "/login")
                                    .build())
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> failing(Runs runs, PlatformTransactionManager manager) {
            TransactionTemplate transaction = new TransactionTemplate(manager);
            HandlerFunction<ServerResponse> commits = request -> {
                transaction.executeWithoutResult(
                        status -> runs.enter(request.headers().firstHeader(Client.KEY)));
                throw new IllegalStateException("after the commit");
            };
            return RouterFunctions.route()
                    .POST("/functional/commits", commits)
                    .onError(
                            IllegalStateException.class,
                            (failure, request) -> ServerResponse.status(500).build())
                    .build()
                    .and(RouterFunctions.route()
                            .POST("/functional/commits/filtered", commits)
                            .filter((request, next) -> {
                                try {
                                    return next.handle(request);
                                } catch (IllegalStateException failure) {
                                    return ServerResponse.status(500).build();
                                }
                            })
                            .POST("/functional/forward", request -> {
                                runs.enter(request.headers().firstHeader(Client.KEY));
                                return ServerResponse.ok().render("forward:/targets/function");
                            })
                            .POST("/targets/function", request -> {
                                throw new UnsupportedOperationException("ordered by a test");
                            })
                            .build());
        }

        @Bean("/answers/controller")
        org.springframework.web.servlet.mvc.Controller controller(Rendering rendering) {
            return (request, response) -> new ModelAndView(rendering.view(request.getHeader(Client.KEY)));
        }

        @Bean
        Guarded guarded(Runs runs) {
            ProxyFactory proxy = new ProxyFactory(new Guarded(runs));
            proxy.setProxyTargetClass(true);
            proxy.addAdvice((MethodBeforeAdvice) (method, arguments, target) -> {
                if (method.getName().equals("guarded")) {
                    throw new SecurityException("ordered by a test");
                }
            });
            return (Guarded) proxy.getProxy();
        }

        @Bean
        ServletRegistrationBean<HttpServlet> raw(Runs runs, PlatformTransactionManager manager) {
            ServletRegistrationBean<HttpServlet> registration =
                    new ServletRegistrationBean<>(new Raw(runs, new TransactionTemplate(manager)), "/answers/raw/*");
            registration.setAsyncSupported(true);
            return registration;
        }

        @Bean
        FilterRegistrationBean<Filter> behind() {
            return filter(0, DispatcherType.REQUEST, (request, response, chain) -> {
                String mode = String.valueOf(((HttpServletRequest) request).getHeader("X-Behind"));
                if ("200".equals(((HttpServletRequest) request).getHeader("X-Anonymous"))) {
                    return;
                }
                try {
                    chain.doFilter(request, response);
                } catch (IllegalStateException | ServletException failure) {
                    if (mode.equals("swallow")) {
                        ((HttpServletResponse) response).sendError(500);
                    } else if (mode.equals("catch")) {
                        ((HttpServletResponse) response).setStatus(500);
                        response.getWriter().write("sorry");
                    } else {
                        throw failure;
                    }
                }
                if (mode.equals("instead")) {
                    response.reset();
                    ((HttpServletResponse) response).setStatus(503);
                }
                if (mode.equals("throw")) {
                    throw new IllegalStateException("ordered by a test");
                } else if (mode.equals("error")) {
                    ((HttpServletResponse) response).sendError(503);
                }
            });
        }

        @Bean
        FilterRegistrationBean<Filter> front() {
            return filter(-200, DispatcherType.ASYNC, (request, response, chain) -> {
                if (((HttpServletRequest) request).getHeader("X-Front") == null) {
                    chain.doFilter(request, response);
                } else {
                    ((HttpServletResponse) response).sendError(403);
                }
            });
        }

        @Bean
        FilterRegistrationBean<Filter> prefixing() {
            return filter(-200, DispatcherType.REQUEST, (request, response, chain) -> {
                String prefix = ((HttpServletRequest) request).getHeader("X-Prefix");
                ServletResponse prefixed = new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public ServletOutputStream getOutputStream() throws IOException {
                        ServletOutputStream out = super.getOutputStream();
                        if (!isCommitted() && prefix.length() > written.length()) {
                            out.print(prefix);
                            written = prefix;
                        }
                        return out;
                    }

                    private String written = "";
                };
                chain.doFilter(request, prefix == null ? response : prefixed);
            });
        }

        @Bean
        FilterRegistrationBean<Filter> synchronous() {
            FilterRegistrationBean<Filter> synchronous = filter(
                    -200, DispatcherType.REQUEST, (request, response, chain) -> chain.doFilter(request, response));
            synchronous.addUrlPatterns("/answers/unsupported");
            synchronous.setAsyncSupported(false);
            return synchronous;
        }

        private static FilterRegistrationBean<Filter> filter(int order, DispatcherType type, Filter filter) {
            FilterRegistrationBean<Filter> registration = new FilterRegistrationBean<>(filter);
            registration.setOrder(order);
            registration.setDispatcherTypes(type);
            return registration;
        }

        @Override
        public void addViewControllers(ViewControllerRegistry registry) {
            registry.addViewController("/answers/page").setViewName("forward:/targets/login");
            registry.addRedirectViewController("/answers/moved", "/answers/account");
        }

        @Override
        public void addInterceptors(InterceptorRegistry registry) {
            registry.addInterceptor(new HandlerInterceptor() {
                @Override
                public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
                        throws IOException, ServletException {
                    if (request.getHeader("X-Forward") != null
                            && request.getDispatcherType() == DispatcherType.REQUEST) {
                        request.getRequestDispatcher("/targets/login").forward(request, response);
                        return false;
                    }
                    if (request.getHeader("X-Async") != null && request.getDispatcherType() == DispatcherType.ASYNC) {
                        if (request.getHeader("X-Async").equals("throw")) {
                            throw new IllegalStateException("ordered by a test");
                        }
                        response.setStatus(429);
                        return false;
                    }
                    if (request.getHeader("X-Anonymous") == null) {
                        return true;
                    }
                    response.sendRedirect("/login");
                    return false;
                }

                @Override
                public void afterCompletion(
                        HttpServletRequest request,
                        HttpServletResponse response,
                        Object handler,
                        @Nullable Exception failure) {
                    if (request.getHeader("X-Audit") != null) {
                        WebApplicationContext context =
                                Objects.requireNonNull(RequestContextUtils.findWebApplicationContext(request));
                        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
                                .executeWithoutResult(status -> {});
                    }
                }

                @Override
                public void postHandle(
                        HttpServletRequest request,
                        HttpServletResponse response,
                        Object handler,
                        @Nullable ModelAndView view)
                        throws IOException {
                    String mode = String.valueOf(request.getHeader("X-After"));
                    if (mode.equals("error") && request.getDispatcherType() == DispatcherType.REQUEST) {
                        response.sendError(503);
                    } else if (mode.equals("status")) {
                        response.setStatus(503);
                    } else if (mode.equals("throw") && request.getDispatcherType() == DispatcherType.REQUEST) {
                        throw new IllegalStateException("ordered by a test");
                    }
                }
            });
        }

        @Override
        public void addArgumentResolvers(java.util.List<HandlerMethodArgumentResolver> resolvers) {
            resolvers.add(new HandlerMethodArgumentResolver() {
                @Override
                public boolean supportsParameter(MethodParameter parameter) {
                    return parameter.getParameterType() == Impossible.class;
                }

                @Override
                public Object resolveArgument(
                        MethodParameter parameter,
                        @Nullable ModelAndViewContainer container,
                        NativeWebRequest request,
                        @Nullable WebDataBinderFactory binders) {
                    throw new Teapot();
                }
            });
        }
    }
}
