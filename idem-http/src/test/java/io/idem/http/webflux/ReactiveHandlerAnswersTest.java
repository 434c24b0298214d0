package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.http.IdempotentRoute;
import io.idem.http.StoredAnswers;
import io.idem.http.contract.AnswersPolicy;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Coded;
import io.idem.http.contract.HandlerAnswersContract;
import io.idem.http.contract.Runs;
import io.idem.http.contract.Unwritable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.BindingContext;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.method.HandlerMethodArgumentResolver;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Mono;

@AppTest(
        value = ReactiveHandlerAnswersTest.Answering.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.max-response-body=64KB",
            "idem.http.routes[0].path=/answers/**",
            "idem.http.routes[1].path=/functional/**"
        })
class ReactiveHandlerAnswersTest extends HandlerAnswersContract {

    ReactiveHandlerAnswersTest(App app) {
        super(app);
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
        ResponseEntity<String> explained(ServerWebInputException mismatch) {
            return ResponseEntity.badRequest().body(mismatch.getReason() + " is not a number");
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

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({
        ReactiveShop.Open.class,
        ReactiveShop.Parts.class,
        Answers.class,
        Explaining.class,
        Modelled.class,
        AnswersPolicy.class
    })
    static class Answering implements WebFluxConfigurer {

        @Bean
        IdempotentRoute everything() {
            return IdempotentRoute.post("/everything/**").with(options -> options.storing(StoredAnswers.EVERYTHING));
        }

        @Bean
        @Order(0)
        WebFilter login() {
            return (exchange, chain) -> {
                if (exchange.getRequest().getHeaders().getFirst("X-Anonymous") == null) {
                    return chain.filter(exchange);
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
                            : ServerResponse.status(302)
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
