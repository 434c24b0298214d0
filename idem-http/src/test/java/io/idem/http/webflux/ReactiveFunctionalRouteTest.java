package io.idem.http.webflux;

import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.FunctionalRouteContract;
import io.idem.http.contract.Runs;
import java.util.function.Function;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@AppTest(
        value = ReactiveFunctionalRouteTest.Functions.class,
        type = WebApplicationType.REACTIVE,
        settings = {"idem.http.tenant=SINGLE", "idem.http.max-request-body=2KB"})
class ReactiveFunctionalRouteTest extends FunctionalRouteContract {

    ReactiveFunctionalRouteTest(App app) {
        super(app);
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class})
    static class Functions {

        @Bean
        IdempotentRoute routed() {
            return FunctionalRouteContract.routed();
        }

        @Bean
        IdempotentRoute refinedByOptions(FaultyStore store) {
            return FunctionalRouteContract.refinedBy(store);
        }

        @Bean
        RouterFunction<ServerResponse> router(Runs runs) {
            return RouterFunctions.route()
                    .POST("/routed/plain", request -> ok(runs, request, run -> "plain " + run))
                    .PUT("/routed/plain", request -> ok(runs, request, run -> "plain " + run))
                    .POST(
                            "/routed/entity",
                            request -> request.bodyToMono(String.class)
                                    .flatMap(body -> run(
                                                    runs,
                                                    request,
                                                    run -> ServerResponse.status(201)
                                                            .header("Location", "/" + run)
                                                            .bodyValue(body + run))
                                            .flatMap(Function.identity())))
                    .POST(
                            "/routed/form",
                            request -> request.formData()
                                    .flatMap(form -> ok(runs, request, run -> form.getFirst("item") + " " + run)))
                    .POST("/routed/fails-once", request -> ok(runs, request, Functions::failOnce))
                    .POST(
                            "/routed/refused",
                            request -> ok(runs, request, run -> {
                                throw new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "run " + run);
                            }))
                    .POST(
                            "/routed/handled",
                            request -> ok(runs, request, run -> {
                                throw new IllegalStateException("handled " + run);
                            }))
                    .POST(
                            "/routed/sse",
                            request -> ServerResponse.ok()
                                    .contentType(MediaType.TEXT_EVENT_STREAM)
                                    .body(
                                            Flux.concat(Mono.just("first"), run(runs, request, run -> "run " + run)),
                                            String.class))
                    .onError(
                            IllegalStateException.class,
                            (failure, request) -> ServerResponse.unprocessableContent()
                                    .bodyValue(String.valueOf(failure.getMessage())))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> refined() {
            return RouterFunctions.route()
                    .PUT(
                            "/refined",
                            request -> IdempotencyContexts.current()
                                    .map(context -> context.scope().name())
                                    .defaultIfEmpty("unprotected")
                                    .flatMap(scope -> ServerResponse.ok().bodyValue(scope)))
                    .build();
        }

        private static Mono<ServerResponse> ok(Runs runs, ServerRequest request, Function<Integer, String> body) {
            return run(runs, request, body).flatMap(text -> ServerResponse.ok().bodyValue(text));
        }

        private static <T> Mono<T> run(Runs runs, ServerRequest request, Function<Integer, T> answer) {
            return ReactiveShop.run(runs, request.headers().firstHeader(Client.KEY), answer);
        }

        /** Not of the kind that the router answers. */
        private static String failOnce(int run) {
            if (run == 1) {
                throw new IllegalArgumentException("ordered by a test");
            }
            return "run " + run;
        }
    }
}
