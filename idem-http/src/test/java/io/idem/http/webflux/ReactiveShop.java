package io.idem.http.webflux;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.Lease;
import io.idem.LeaseLostException;
import io.idem.OwnerToken;
import io.idem.RecordId;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import java.io.EOFException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The reactive application under test: handlers of every kind, open to everybody, on Netty. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ReactiveShop.Orders.class, ReactiveShop.Annotated.class, ReactiveShop.Open.class, ReactiveShop.Parts.class})
class ReactiveShop {

    static class Open {

        @Bean
        SecurityWebFilterChain open(ServerHttpSecurity http) {
            return http.csrf(ServerHttpSecurity.CsrfSpec::disable)
                    .authorizeExchange(requests -> requests.anyExchange().permitAll())
                    .build();
        }
    }

    static class Parts {

        @Bean
        FaultyStore store() {
            return new FaultyStore();
        }

        @Bean
        Runs runs() {
            return new Runs();
        }

        @Bean
        HangUps hangUps() {
            return new HangUps();
        }

        @Bean
        NettyReactiveWebServerFactory server() {
            return new NettyReactiveWebServerFactory();
        }
    }

    /** A run may wait, so it is counted on a thread that may. */
    static <T> Mono<T> run(Runs runs, @Nullable String key, Function<Integer, T> answer) {
        return Mono.fromCallable(() -> answer.apply(runs.enter(key))).subscribeOn(Schedulers.boundedElastic());
    }

    @RestController
    @RequestMapping("/orders")
    static class Orders {

        private final Runs runs;

        Orders(Runs runs) {
            this.runs = runs;
        }

        @PostMapping
        Mono<ResponseEntity<String>> create(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
            return run(
                    runs,
                    key,
                    run -> ResponseEntity.status(201)
                            .header(HttpHeaders.LOCATION, "/orders/" + run)
                            .header("X-Flavour", "sweet", "sour")
                            .header(HttpHeaders.SET_COOKIE, "session=secret")
                            .header("traceparent", "00-trace")
                            .contentType(MediaType.APPLICATION_JSON)
                            .body("{\"run\":" + run + ",\"at\":" + System.nanoTime() + ",\"body\":\"" + body.length()
                                    + "\"}"));
        }

        @PutMapping("/{id}")
        Mono<String> put(@RequestHeader(Client.KEY) String key, @PathVariable String id) {
            return run(runs, key, run -> id + run);
        }

        @GetMapping
        Mono<String> list(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return run(runs, key, run -> "list " + run);
        }

        @PostMapping("/optional")
        Mono<String> optional(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return run(runs, key, run -> "run " + run);
        }

        @PostMapping("/status/{status}")
        Mono<ResponseEntity<String>> status(@RequestHeader(Client.KEY) String key, @PathVariable int status) {
            return run(runs, key, run -> ResponseEntity.status(status).body("run " + run));
        }

        @PostMapping("/thrown/{status}")
        Mono<String> thrown(@RequestHeader(Client.KEY) String key, @PathVariable int status) {
            return run(runs, key, run -> {
                throw new ResponseStatusException(HttpStatusCode.valueOf(status), "run " + run);
            });
        }

        @PostMapping("/thrown/annotated")
        Mono<String> thrownAnnotated(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> {
                throw new OutOfStock();
            });
        }

        @PostMapping("/handled")
        Mono<String> handled(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> {
                throw new IllegalArgumentException("handled " + run);
            });
        }

        /** Its failure comes after a part of its body was written, and has an answer of its own. */
        @PostMapping("/handled-late")
        Flux<String> handledLate(@RequestHeader(Client.KEY) String key) {
            return Flux.concat(Mono.just("lost"), handled(key));
        }

        @ExceptionHandler
        ResponseEntity<String> refuse(IllegalArgumentException failure) {
            return ResponseEntity.unprocessableContent().body(String.valueOf(failure.getMessage()));
        }

        @PostMapping("/fails-once")
        Mono<String> failsOnce(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, ReactiveShop::failOnce);
        }

        @PostMapping("/times-out")
        Mono<String> timesOut(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> "run " + run).then(Mono.<String>never().timeout(Duration.ofMillis(50)));
        }

        /** Looks as if the client had gone away. */
        @PostMapping("/loses-connection-once")
        Mono<String> losesConnectionOnce(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, Function.identity())
                    .flatMap(run ->
                            run == 1 ? Mono.error(new EOFException("ordered by a test")) : Mono.just("run " + run));
        }

        @PostMapping("/redirect")
        Mono<Void> redirect(@RequestHeader(Client.KEY) String key, ServerHttpResponse response) {
            return run(runs, key, run -> URI.create("/orders/" + run)).flatMap(target -> {
                response.setStatusCode(HttpStatus.FOUND);
                response.getHeaders().setLocation(target);
                return response.setComplete();
            });
        }

        /** Leaves it to the server to end its answer. */
        @PostMapping("/silent")
        Mono<Void> silent(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> run).then();
        }

        @PostMapping("/commit-hook")
        Mono<String> commitHook(@RequestHeader(Client.KEY) String key, ServerHttpResponse response) {
            response.beforeCommit(
                    () -> Mono.fromRunnable(() -> response.getHeaders().set("X-Late", "late")));
            return run(runs, key, run -> "run " + run);
        }

        @PostMapping("/writer")
        Mono<Void> writer(@RequestHeader(Client.KEY) String key, ServerHttpResponse response) {
            byte[] text = "zwölf".getBytes(StandardCharsets.UTF_8);
            response.getHeaders().setContentType(new MediaType(MediaType.TEXT_PLAIN, StandardCharsets.UTF_8));
            response.getHeaders().setContentLength(text.length);
            return run(runs, key, run -> run)
                    .then(response.writeWith(
                            Mono.fromSupplier(() -> response.bufferFactory().wrap(text))));
        }

        @PostMapping("/no-content")
        Mono<ResponseEntity<Void>> noContent(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> ResponseEntity.noContent().build());
        }

        @PostMapping("/not-modified")
        Mono<ResponseEntity<Void>> notModified(@RequestHeader(Client.KEY) String key) {
            return run(
                    runs, key, run -> ResponseEntity.status(304).eTag("\"v1\"").build());
        }

        @PostMapping("/proxied")
        Mono<ResponseEntity<String>> proxied(@RequestHeader(Client.KEY) String key) {
            return run(
                    runs,
                    key,
                    run -> ResponseEntity.ok()
                            .header(HttpHeaders.TRANSFER_ENCODING, "chunked")
                            .header(HttpHeaders.CONNECTION, "keep-alive")
                            .body("as copied from another server"));
        }

        @PostMapping({"/own-marker", "/own-marker/large"})
        Mono<ResponseEntity<String>> ownMarker(@RequestHeader(Client.KEY) String key, ServerHttpRequest request) {
            int size = request.getURI().getPath().endsWith("large") ? 100_000 : 10;
            return run(
                    runs,
                    key,
                    run -> ResponseEntity.ok()
                            .header("X-Upstream", "yes")
                            .header(Client.REPLAYED, "true", "yes")
                            .header("Idempotency-Body-Omitted", "true")
                            .body("x".repeat(size)));
        }

        @PostMapping(path = "/parts", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
        Mono<String> parts(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            return exchange.getMultipartData()
                    .map(parts -> parts.values().stream().mapToInt(List::size).sum())
                    .flatMap(count -> run(runs, key, run -> count + " parts, run " + run));
        }

        /** Written in many pieces. */
        @PostMapping("/large")
        Mono<Void> large(@RequestHeader(Client.KEY) String key, @RequestParam int size, ServerHttpResponse response) {
            Flux<DataBuffer> pieces = Flux.range(0, (size + 999) / 1000)
                    .map(piece -> response.bufferFactory()
                            .wrap("x"
                                    .repeat(Math.min(1000, size - 1000 * piece))
                                    .getBytes(StandardCharsets.US_ASCII)));
            return run(runs, key, run -> run).then(response.writeWith(pieces));
        }

        /** What cannot be compressed. */
        @PostMapping("/noise")
        Mono<byte[]> noise(@RequestHeader(Client.KEY) String key, @RequestParam int size) {
            return run(runs, key, run -> runs.noise(run, size));
        }

        @PostMapping(path = "/form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
        Mono<String> form(@RequestHeader(Client.KEY) String key, ServerWebExchange exchange) {
            return exchange.getFormData()
                    .flatMap(form -> run(
                            runs,
                            key,
                            run -> field(exchange, form, "item") + "/" + field(exchange, form, "note") + "/" + run));
        }

        private static @Nullable String field(
                ServerWebExchange exchange, MultiValueMap<String, String> form, String name) {
            return form.containsKey(name)
                    ? form.getFirst(name)
                    : exchange.getRequest().getQueryParams().getFirst(name);
        }

        @PostMapping(path = "/upload", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
        Mono<String> upload(
                @RequestHeader(Client.KEY) String key, @RequestPart String item, @RequestPart FilePart file) {
            return DataBufferUtils.join(file.content())
                    .map(content -> content.toString(StandardCharsets.UTF_8))
                    .flatMap(text -> run(runs, key, run -> item + "/" + file.filename() + "/" + text + "/" + run));
        }

        @PostMapping("/callable")
        Mono<ResponseEntity<String>> callable(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> ResponseEntity.status(201).body("callable " + run));
        }

        @PostMapping("/future")
        Mono<String> future(@RequestHeader(Client.KEY) String key) {
            return run(runs, key, run -> "future " + run);
        }

        @PostMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events(@RequestHeader(Client.KEY) String key) {
            return Flux.concat(Mono.just("first"), run(runs, key, run -> "run " + run));
        }

        @PostMapping(path = "/events-fail-once", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> eventsFailOnce(@RequestHeader(Client.KEY) String key) {
            return Flux.concat(Mono.just("first"), run(runs, key, ReactiveShop::failOnce));
        }

        @PostMapping(path = "/streaming", produces = MediaType.APPLICATION_NDJSON_VALUE)
        Flux<Map<String, String>> streaming(@RequestHeader(Client.KEY) String key) {
            return Flux.concat(Mono.just(Map.of("run", "first")), run(runs, key, run -> Map.of("run", "" + run)));
        }

        @PostMapping("/lease-lost")
        Mono<String> leaseLost(@RequestHeader(Client.KEY) String key, IdempotencyContext context) {
            return run(runs, key, run -> {
                throw new IllegalStateException(new LeaseLostException(new Lease(
                        new RecordId(context.key(), context.scope()),
                        OwnerToken.random(new SecureRandom()),
                        context.fence(),
                        context.attempt(),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(1))));
            });
        }

        @PostMapping("/context")
        Mono<String> context(@RequestHeader(Client.KEY) String key, IdempotencyContext context) {
            return run(runs, key, run -> context.scope().name())
                    .flatMap(scope ->
                            IdempotencyContexts.current().map(fromReactor -> scope + " " + (fromReactor == context)));
        }
    }

    @ResponseStatus(HttpStatus.CONFLICT)
    static final class OutOfStock extends RuntimeException {}

    static String failOnce(int run) {
        if (run == 1) {
            throw new IllegalStateException("ordered by a test");
        }
        return "run " + run;
    }

    @RestController
    @RequestMapping("/annotated")
    static class Annotated {

        private final Runs runs;

        Annotated(Runs runs) {
            this.runs = runs;
        }

        @Idempotent
        @PostMapping("/plain")
        Mono<String> plain(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return run(runs, key, run -> "run " + run);
        }

        @Idempotent(required = false, scope = "http.special", waitFor = "20s")
        @PostMapping("/special")
        Mono<String> special(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return run(runs, key, run -> "run " + run);
        }

        @PostMapping("/not")
        Mono<String> not(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return run(runs, key, run -> "run " + run);
        }
    }
}
