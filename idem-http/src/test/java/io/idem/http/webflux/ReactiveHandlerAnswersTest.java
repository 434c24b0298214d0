package io.idem.http.webflux;

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
import io.idem.http.contract.Runs;
import io.idem.http.contract.Unwritable;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.DefaultMessageSourceResolvable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.codec.AbstractSingleValueEncoder;
import org.springframework.core.codec.EncodingException;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.stereotype.Controller;
import org.springframework.util.MimeType;
import org.springframework.util.MimeTypeUtils;
import org.springframework.validation.method.MethodValidationException;
import org.springframework.validation.method.MethodValidationResult;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.view.AbstractView;
import org.springframework.web.reactive.result.view.Rendering;
import org.springframework.web.reactive.result.view.View;
import org.springframework.web.reactive.result.view.ViewResolver;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebFilter;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@AppTest(
        value = ReactiveHandlerAnswersTest.Answering.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.routes[0].path=/answers/**",
            "idem.http.routes[1].path=/functional/**",
            "idem.http.routes[2].path=/orders/**"
        })
class ReactiveHandlerAnswersTest extends HandlerAnswersContract {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    ReactiveHandlerAnswersTest(App app) {
        super(app);
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"408", "500", "504"})
    void theStatusOfATimeoutInFrontIsNotThatOfTheHandler(String status) {
        runs.shut(key);
        assertThat(client.post("/answers/slow", key, request -> request.header("X-Front", status))
                        .status())
                .hasToString(status);
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/answers/slow", key).replayed()).isTrue());
        assertThat(client.post("/answers/slow", key).status()).isEqualTo(200);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aHandlerThatAFilterInFrontCallsAgainIsProtectedAgain() {
        Answer first = client.post("/answers/second-time", key, request -> request.header("X-Front", "again"));

        assertThat(first.status()).isEqualTo(200);
        assertThat(client.post("/answers/second-time", key).replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hedge", "instead"})
    void aHandlerThatIsStillRunningIsNotCalledBesideItself(String front) {
        runs.shut(key);
        assertThat(client.post("/answers/slow", key, request -> request.header("X-Front", front))
                        .body())
                .contains("urn:idem:problem:in-progress");
        runs.open(key);

        await().untilAsserted(() ->
                assertThat(client.post("/answers/slow", key).replayed()).isTrue());
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/flux",
                "/orders/flux/deferred",
                "/orders/entity/of-mono",
                "/orders/entity/of-stage",
                "/orders/mono/of-entity/of-flux",
                "/orders/mono/of-entity/of-mono",
                "/orders/flow",
                "/orders/rendering",
                "/orders/mono/of-rendering",
                "/orders/hook",
                "/functional/orders/view",
                "/functional/orders/no-writer",
                "/functional/orders/own-writer",
                "/functional/orders/hook",
                "/functional/orders/hook/without/body"
            })
    void anErrorThatTheWorkDidNotEmitIsTheAnswers(String path) {
        Answer first = client.post(path, key);
        Answer second = client.post(path, key);

        assertThat(first.status()).isBetween(406, 500);
        assertThat(second.status()).isEqualTo(409);
        assertThat(second.body()).contains("answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/orders/fails/flux",
                "/orders/fails/entity",
                "/orders/fails/stage",
                "/orders/fails/rendering",
                "/functional/orders/fails",
                "/functional/orders/fails/flux",
                "/functional/orders/fails/without/body",
                "/functional/orders/fails/view"
            })
    void anErrorThatTheWorkEmittedIsTheWorks(String path) {
        assertThat(client.post(path, key).status()).isEqualTo(500);
        assertThat(client.post(path, key).status()).isEqualTo(500);
        assertThat(runs.of(key)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/orders/stage", "/orders/entity/of-running-stage"})
    void workThatRunsAlreadyEndsBeforeItsAnswerIsRefused(String path) {
        Answer first = client.post(path, key, request -> request.header("Accept", "text/csv"));
        Answer second = client.post(path, key);

        assertThat(first.status()).isEqualTo(406);
        assertThat(second.body()).contains("answer-not-kept");
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void aPublisherToWhichNobodySubscribedHasDoneNothing() {
        Answer first = client.post("/orders/mono", key, request -> request.header("Accept", "text/csv"));
        Answer second = client.post("/orders/mono", key);

        assertThat(first.status()).isEqualTo(406);
        assertThat(second.body()).isEqualTo("{\"run\":1}");
        assertThat(second.replayed()).isFalse();
    }

    @Test
    void argumentsThatAServiceRefusesAreRefusedByItsHandler() {
        Answer first = client.post("/orders/service/refuses", key);
        Answer second = client.post("/orders/service/refuses", key);

        assertThat(first.status()).isEqualTo(second.status()).isEqualTo(422);
        assertThat(second.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(1);
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

        Answers(Runs runs) {
            this.runs = runs;
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

        @PostMapping("/answers/void")
        Mono<Void> nothing(ServerWebExchange exchange) {
            exchange.getResponse().setStatusCode(HttpStatus.OK);
            return exchange.getResponse().setComplete();
        }

        @PostMapping("/answers/list")
        Flux<Map<String, Integer>> list(@RequestHeader(Client.KEY) String key) {
            return Flux.just(Map.of("run", runs.enter(key)));
        }

        @PostMapping("/answers/slow")
        Mono<String> slow(@RequestHeader(Client.KEY) String key) {
            return Mono.fromCallable(() -> "run " + runs.enter(key)).subscribeOn(Schedulers.boundedElastic());
        }

        @PostMapping("/answers/second-time")
        Mono<String> secondTime(@RequestHeader(Client.KEY) String key) {
            return runs.enter(key) == 1
                    ? Mono.error(new IllegalStateException("ordered by a test"))
                    : Mono.just("the second time");
        }

        @PostMapping("/answers/resource")
        Resource resource() {
            return new ByteArrayResource("the whole resource".getBytes(StandardCharsets.UTF_8));
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

        @PostMapping("/answers/getter")
        Unwritable getter(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return new Unwritable();
        }

        @PostMapping("/answers/later/getter")
        Mono<Unwritable> later(@RequestHeader(Client.KEY) String key) {
            return Mono.fromCallable(() -> getter(key));
        }

        @PostMapping("/answers/refused")
        ResponseEntity<Unwritable> refused(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.status(503).body(getter(key));
        }

        @PostMapping("/answers/later/refused")
        Mono<ResponseEntity<Unwritable>> laterRefused(@RequestHeader(Client.KEY) String key) {
            return Mono.fromCallable(() -> refused(key));
        }

        @PostMapping("/answers/refused/by-annotation")
        @ResponseStatus(HttpStatus.TOO_MANY_REQUESTS)
        Flux<Unwritable> refusedByAnnotation(@RequestHeader(Client.KEY) String key) {
            return Flux.defer(() -> Flux.just(getter(key)));
        }

        @PostMapping("/answers/refused/by-response")
        Mono<Unwritable> refused(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            exchange.getResponse().setStatusCode(HttpStatus.SERVICE_UNAVAILABLE);
            return later(key);
        }

        @PostMapping("/answers/fails")
        String failing(@RequestHeader(Client.KEY) String key) {
            throw new IllegalStateException("run " + runs.enter(key));
        }

        @PostMapping("/answers/later/fails")
        Mono<String> failingLater(@RequestHeader(Client.KEY) String key) {
            return Mono.fromCallable(() -> failing(key));
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
        ResponseEntity<String> explained(ServerWebInputException mismatch, ServerWebExchange exchange) {
            boolean wrapped = exchange.getRequest().getHeaders().containsHeader("X-Envelope");
            return ResponseEntity.status(wrapped ? 200 : 400).body(mismatch.getReason() + " is not a number");
        }
    }

    @RestController
    static class Modelled {

        @ModelAttribute
        void before() {
            throw new Teapot();
        }

        @PostMapping("/answers/model/attribute")
        String run(@RequestHeader(Client.KEY) String key) {
            return "never";
        }

        @ExceptionHandler
        ResponseEntity<String> teapot(Teapot teapot) {
            return ResponseEntity.status(418).body("before the handler");
        }
    }

    @Controller
    static class Working {

        private final Runs runs;

        Working(Runs runs) {
            this.runs = runs;
        }

        private Mono<Unwritable> unwritable(@Nullable String key) {
            return Mono.fromSupplier(() -> {
                runs.enter(key);
                return new Unwritable();
            });
        }

        /** Fails as an encoder does, which an outgoing call of the work has. */
        private <T> Mono<T> failing(@Nullable String key) {
            return Mono.fromSupplier(() -> {
                throw new EncodingException("run " + runs.enter(key));
            });
        }

        @PostMapping("/orders/flux")
        @ResponseBody
        Flux<Object> flux(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return Flux.just(new Unwritable(), "second");
        }

        @PostMapping("/orders/flux/deferred")
        @ResponseBody
        Flux<Object> deferred(@RequestHeader(Client.KEY) String key) {
            return Flux.defer(() -> {
                runs.enter(key);
                return Flux.just(Map.of("first", 1), new Unwritable(), Map.of("third", 3));
            });
        }

        @PostMapping("/orders/entity/of-mono")
        ResponseEntity<Mono<Unwritable>> entity(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.ok(unwritable(key));
        }

        @PostMapping("/orders/entity/of-stage")
        ResponseEntity<CompletableFuture<Unwritable>> ofStage(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.ok(unwritable(key).toFuture());
        }

        @PostMapping("/orders/mono/of-entity/of-flux")
        Mono<ResponseEntity<Flux<Unwritable>>> ofFlux(@RequestHeader(Client.KEY) String key) {
            return unwritable(key).map(body -> ResponseEntity.ok(Flux.just(body)));
        }

        @PostMapping("/orders/mono/of-entity/of-mono")
        Mono<ResponseEntity<Mono<Unwritable>>> ofMono(@RequestHeader(Client.KEY) String key) {
            return unwritable(key).map(body -> ResponseEntity.ok(Mono.just(body)));
        }

        @PostMapping("/orders/flow")
        @ResponseBody
        Flow.Publisher<Unwritable> flow(@RequestHeader(Client.KEY) String key) {
            return JdkFlowAdapter.publisherToFlowPublisher(unwritable(key));
        }

        @PostMapping("/orders/rendering")
        Rendering rendering(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return Rendering.view("broken").build();
        }

        @PostMapping("/orders/mono/of-rendering")
        Mono<Rendering> ofRendering(@RequestHeader(Client.KEY) String key) {
            return unwritable(key).map(done -> Rendering.view("broken").build());
        }

        @PostMapping("/orders/hook")
        Mono<Void> hook(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            exchange.getResponse().beforeCommit(() -> Mono.error(new IllegalStateException("session store down")));
            return Mono.fromRunnable(() -> runs.enter(key)).then(Mono.defer(exchange.getResponse()::setComplete));
        }

        @PostMapping("/orders/fails/flux")
        @ResponseBody
        Flux<Object> failingFlux(@RequestHeader(Client.KEY) @Nullable String key) {
            return Flux.concat(Mono.just(Map.of("first", 1)), failing(key));
        }

        @PostMapping("/orders/fails/entity")
        ResponseEntity<Mono<String>> failingEntity(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.ok(failing(key));
        }

        @PostMapping("/orders/fails/stage")
        @ResponseBody
        CompletableFuture<String> failingStage(@RequestHeader(Client.KEY) String key) {
            return this.<String>failing(key).toFuture();
        }

        @PostMapping("/orders/fails/rendering")
        Rendering failingRendering(@RequestHeader(Client.KEY) String key) {
            return Rendering.view("model").modelAttribute("work", failing(key)).build();
        }

        @PostMapping("/orders/mono")
        @ResponseBody
        Mono<Map<String, Object>> mono(@RequestHeader(Client.KEY) String key) {
            return Mono.fromSupplier(() -> Map.of("run", runs.enter(key)));
        }

        @PostMapping("/orders/stage")
        @ResponseBody
        CompletableFuture<Map<String, Object>> stage(@RequestHeader(Client.KEY) String key) {
            return mono(key)
                    .delaySubscription(Duration.ofMillis(200), Schedulers.boundedElastic())
                    .toFuture();
        }

        @PostMapping("/orders/entity/of-running-stage")
        ResponseEntity<CompletableFuture<Map<String, Object>>> ofRunningStage(@RequestHeader(Client.KEY) String key) {
            return ResponseEntity.ok(stage(key));
        }

        @PostMapping("/orders/service/refuses")
        @ResponseBody
        String refused(@RequestHeader(Client.KEY) String key) throws NoSuchMethodException {
            runs.enter(key);
            Method service = Object.class.getMethod("equals", Object.class);
            throw new MethodValidationException(MethodValidationResult.create(
                    this,
                    service,
                    List.of(new ParameterValidationResult(
                            new MethodParameter(service, 0),
                            "value",
                            List.of(new DefaultMessageSourceResolvable("refused")),
                            null,
                            null,
                            null,
                            (error, type) -> error))));
        }

        @ExceptionHandler
        ResponseEntity<String> refused(MethodValidationException refused) {
            return ResponseEntity.status(422).body("refused");
        }

        @Bean
        RouterFunction<ServerResponse> working() {
            return RouterFunctions.route()
                    .POST("/functional/orders/view", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.ok().render("broken");
                    })
                    .POST("/functional/orders/no-writer", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.ok()
                                .contentType(MediaType.parseMediaType("text/csv"))
                                .bodyValue(Map.of("run", 1));
                    })
                    .POST(
                            "/functional/orders/own-writer",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_PLAIN)
                                    .body(
                                            unwritable(request.headers().firstHeader(Client.KEY))
                                                    .map(done -> new Own()),
                                            Own.class))
                    .POST("/functional/orders/hook", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        failBeforeCommit(request);
                        return ServerResponse.ok().bodyValue("done");
                    })
                    .POST("/functional/orders/hook/without/body", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        failBeforeCommit(request);
                        return ServerResponse.noContent().build();
                    })
                    .POST(
                            "/functional/orders/fails",
                            request -> ServerResponse.ok()
                                    .body(failing(request.headers().firstHeader(Client.KEY)), String.class))
                    .POST(
                            "/functional/orders/fails/flux",
                            request -> ServerResponse.ok()
                                    .body(failingFlux(request.headers().firstHeader(Client.KEY)), Object.class))
                    .POST(
                            "/functional/orders/fails/without/body",
                            request -> ServerResponse.ok()
                                    .build(failing(request.headers().firstHeader(Client.KEY))))
                    .POST(
                            "/functional/orders/fails/view",
                            request -> ServerResponse.ok()
                                    .render(
                                            "model",
                                            Map.of(
                                                    "work",
                                                    failing(request.headers().firstHeader(Client.KEY)))))
                    .build();
        }

        private static void failBeforeCommit(ServerRequest request) {
            request.exchange()
                    .getResponse()
                    .beforeCommit(() -> Mono.error(new IllegalStateException("session store down")));
        }
    }

    /** A body of which the encoder is the application's. */
    record Own() {}

    /** Fails with an exception that is not one of codecs. */
    static final class OwnEncoder extends AbstractSingleValueEncoder<Own> {

        OwnEncoder() {
            super(MimeTypeUtils.ALL);
        }

        @Override
        public boolean canEncode(ResolvableType type, @Nullable MimeType mimeType) {
            return type.toClass() == Own.class;
        }

        @Override
        protected Flux<DataBuffer> encode(
                Own value,
                DataBufferFactory buffers,
                ResolvableType type,
                @Nullable MimeType mimeType,
                @Nullable Map<String, Object> hints) {
            throw new IllegalStateException("cannot be written");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({
        ReactiveShop.Open.class,
        ReactiveShop.Parts.class,
        Answers.class,
        Explaining.class,
        Modelled.class,
        Working.class,
        AnswersPolicy.class
    })
    static class Answering implements WebFluxConfigurer {

        @Bean
        ViewResolver views() {
            View broken = (model, type, exchange) -> Mono.error(new IllegalStateException("no template"));
            View ofModel = new AbstractView() {
                @Override
                protected Mono<Void> renderInternal(
                        Map<String, Object> model, @Nullable MediaType type, ServerWebExchange exchange) {
                    return exchange.getResponse().setComplete();
                }
            };
            return (name, locale) -> name.equals("model") ? Mono.just(ofModel) : Mono.just(broken);
        }

        @Override
        public void configureHttpMessageCodecs(ServerCodecConfigurer codecs) {
            codecs.customCodecs().register(new OwnEncoder());
        }

        @Bean
        IdempotentRoute everything() {
            return IdempotentRoute.post("/everything/**").with(options -> options.storing(StoredAnswers.EVERYTHING));
        }

        /** Answers in place of a handler that takes longer, or calls one that failed again. */
        @Bean
        @Order(-200)
        WebFilter front(Runs runs) {
            return (exchange, chain) -> {
                HttpHeaders headers = exchange.getRequest().getHeaders();
                String mode = String.valueOf(headers.getFirst("X-Front"));
                Mono<Void> handled = chain.filter(exchange);
                Mono<Long> running = Flux.interval(Duration.ofMillis(20))
                        .filter(tick -> runs.of(String.valueOf(headers.getFirst(Client.KEY))
                                        .replace("\"", ""))
                                > 0)
                        .next();
                if (mode.equals("again")) {
                    return handled.retry(1);
                } else if (mode.equals("hedge")) {
                    return Mono.firstWithSignal(handled, running.then(chain.filter(exchange)));
                } else if (mode.equals("instead")) {
                    return handled.timeout(running)
                            .onErrorResume(TimeoutException.class, late -> chain.filter(exchange));
                }
                return mode.equals("null")
                        ? handled
                        : handled.timeout(Duration.ofMillis(200), Mono.defer(() -> {
                            exchange.getResponse().setRawStatusCode(Integer.valueOf(mode));
                            return exchange.getResponse().setComplete();
                        }));
            };
        }

        @Bean
        @Order(-200)
        WebFilter prefixing() {
            return (exchange, chain) -> {
                String prefix = exchange.getRequest().getHeaders().getFirst("X-Prefix");
                return prefix == null
                        ? chain.filter(exchange)
                        : chain.filter(exchange.mutate()
                                .response(new ServerHttpResponseDecorator(exchange.getResponse()) {
                                    @Override
                                    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
                                        DataBuffer first =
                                                bufferFactory().wrap(prefix.getBytes(StandardCharsets.UTF_8));
                                        return super.writeWith(Flux.concat(Mono.just(first), body));
                                    }
                                })
                                .build());
            };
        }

        @Bean
        @Order(0)
        WebFilter login() {
            return (exchange, chain) -> {
                if (exchange.getRequest().getHeaders().getFirst("X-Anonymous") == null) {
                    return chain.filter(exchange);
                }
                if ("200".equals(exchange.getRequest().getHeaders().getFirst("X-Anonymous"))) {
                    return exchange.getResponse().setComplete();
                }
                exchange.getResponse().setStatusCode(HttpStatus.FOUND);
                exchange.getResponse().getHeaders().setLocation(URI.create("/login"));
                return exchange.getResponse().setComplete();
            };
        }

        @Bean
        RouterFunction<ServerResponse> functions(Runs runs) {
            return RouterFunctions.route()
                    .POST("/functional/ok", request -> ServerResponse.ok().bodyValue("ok"))
                    .add(overruled(runs))
                    .add(refused(runs))
                    .POST("/functional/getter", request -> {
                        runs.enter(request.headers().firstHeader(Client.KEY));
                        return ServerResponse.ok().bodyValue(new Unwritable());
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
                        return ServerResponse.status(201).bodyValue("done");
                    })
                    .POST(
                            "/functional/called-again",
                            request -> runs.enter(request.headers().firstHeader(Client.KEY)) == 1
                                    ? Mono.error(new IllegalStateException("ordered by a test"))
                                    : ServerResponse.seeOther(URI.create("/done"))
                                            .build())
                    .filter((request, next) -> request.path().endsWith("overruled")
                            ? next.handle(request)
                                    .then(ServerResponse.status(503).build())
                            : next.handle(request).retry(1))
                    .build();
        }

        /** Functions that say 503, of which the filter fails or calls them again. */
        private static RouterFunction<ServerResponse> refused(Runs runs) {
            return RouterFunctions.route()
                    .POST(
                            "/functional/refused",
                            request -> ServerResponse.status(503)
                                    .body(
                                            Mono.fromRunnable(() -> enter(runs, request))
                                                    .thenReturn(new Unwritable()),
                                            Unwritable.class))
                    .POST("/functional/refused/filtered", request -> {
                        enter(runs, request);
                        return ServerResponse.status(503).bodyValue("refused");
                    })
                    .POST(
                            "/functional/refused/called-again",
                            request -> enter(runs, request) == 2
                                    ? Mono.error(new IllegalStateException("ordered by a test"))
                                    : ServerResponse.status(503).bodyValue("refused"))
                    .POST(
                            "/functional/second/called-again",
                            request -> ServerResponse.status(enter(runs, request) == 1 ? 503 : 200)
                                    .bodyValue(new Unwritable()))
                    .filter((request, next) -> {
                        Mono<ServerResponse> answer = Mono.defer(() -> next.handle(request));
                        if (request.path().endsWith("filtered")) {
                            return answer.then(Mono.error(new IllegalStateException("ordered by a test")));
                        }
                        return request.path().endsWith("called-again") ? answer.then(answer) : answer;
                    })
                    .build();
        }

        private static int enter(Runs runs, ServerRequest request) {
            return runs.enter(request.headers().firstHeader(Client.KEY));
        }

        @Bean
        RouterFunction<ServerResponse> filtered() {
            RouterFunction<ServerResponse> own = request -> request.path().equals("/functional/own")
                    ? Mono.just(asked -> ServerResponse.ok().bodyValue("ok"))
                    : Mono.empty();
            return RouterFunctions.route()
                    .path(
                            "/functional/filtered",
                            routes -> routes.POST(
                                            "/ok",
                                            request -> ServerResponse.ok().bodyValue("ok"))
                                    .nest(
                                            RequestPredicates.path("/nested"),
                                            nested -> nested.POST(
                                                    "/ok",
                                                    request ->
                                                            ServerResponse.ok().bodyValue("ok")))
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

        @Override
        public void configureArgumentResolvers(ArgumentResolverConfigurer configurer) {
            configurer.addCustomResolver(new HandlerMethodArgumentResolver() {
                @Override
                public boolean supportsParameter(MethodParameter parameter) {
                    return parameter.getParameterType() == Impossible.class;
                }

                @Override
                public Mono<Object> resolveArgument(
                        MethodParameter parameter, BindingContext binding, ServerWebExchange exchange) {
                    return Mono.error(new Teapot());
                }
            });
        }
    }
}
