package io.idem.http.webflux;

import io.idem.http.contract.WireRequest;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.reactive.result.view.RedirectView;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Handlers that answer in every way in which a server has a say. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, ReactiveWirePages.Handlers.class})
class ReactiveWirePages {

    private static final String FORM = "application/x-www-form-urlencoded";

    @Bean
    RouterFunction<ServerResponse> raw() {
        Map<String, Function<ServerWebExchange, Mono<Void>>> pages = pages();
        return RouterFunctions.route(
                RequestPredicates.path("/raw/{name}"),
                request ->
                        Mono.just(new Raw(pages.getOrDefault(request.pathVariable("name"), ReactiveWirePages::echo))));
    }

    static Stream<WireRequest> requests() {
        return Stream.of(
                        pages().keySet().stream().map(name -> WireRequest.post("/raw/" + name)),
                        Stream.of("/raw/fails", "/raw/refused", "/mvc/refused", "/mvc/fails")
                                .map(path -> WireRequest.post(path).with("Accept: text/html")),
                        Stream.of(
                                        "redirect",
                                        "redirect-view",
                                        "text",
                                        "latin",
                                        "json",
                                        "long",
                                        "none",
                                        "flux",
                                        "no-content",
                                        "reset-content",
                                        "refused",
                                        "teapot",
                                        "fails",
                                        "headers",
                                        "stream",
                                        "events",
                                        "created")
                                .map(name -> WireRequest.post("/mvc/" + name)),
                        forms(),
                        bodies())
                .flatMap(requests -> requests);
    }

    private static Stream<WireRequest> forms() {
        Stream<WireRequest> plain = Stream.of(
                        "a=b",
                        "a",
                        "=b",
                        "=",
                        "&",
                        "a=1&a=2",
                        "a=1&&b=2",
                        "a=%C3%A4",
                        "a=%E4",
                        "a=%FF%FE",
                        "a=+",
                        "a=b;c=d",
                        "a==b",
                        "%00=%00",
                        "a=\r\n",
                        "a=\u00e4",
                        "+=+")
                .flatMap(form -> Stream.of("/raw/echo?way=form", "/raw/echo", "/mvc/body", "/mvc/form")
                        .map(path -> WireRequest.post(path, FORM, form)));
        Stream<WireRequest> charsets = Stream.of("utf-8", "iso-8859-1", "UTF-16", "no-such", "", "\"utf-8\"", "'utf-8'")
                .map(charset -> WireRequest.post("/raw/echo?way=form", FORM + ";charset=" + charset, "a=%E4&b=%C3%A4"));
        Stream<WireRequest> types = Stream.of("Application/X-WWW-Form-Urlencoded", FORM + "x", FORM + " ; x=y")
                .map(type -> WireRequest.post("/raw/echo?way=form", type, "a=b"));
        return Stream.of(plain, charsets, types).flatMap(requests -> requests);
    }

    static Stream<WireRequest> malformed() {
        return Stream.of("a=%", "a=%zz", "a=%4", "%=1", "{\"rate\":\"5%\"}")
                .flatMap(form ->
                        Stream.of("/raw/echo?way=form", "/mvc/form").map(path -> WireRequest.post(path, FORM, form)));
    }

    private static Stream<WireRequest> bodies() {
        Stream<WireRequest> typed = Stream.of(
                        "application/json",
                        "application/json;charset=utf-16",
                        "text/plain",
                        "text/plain;charset=iso-8859-1",
                        "text/plain;charset=no-such",
                        "text/plain;charset=\"",
                        "text/plain;charset=",
                        "garbage",
                        "/",
                        "text/",
                        "")
                .flatMap(type -> Stream.of("/raw/echo", "/mvc/body", "/mvc/json")
                        .map(path -> WireRequest.post(path, type, "{\"a\":\"\u00e4\"}")));
        return Stream.concat(
                typed,
                Stream.of(
                        new WireRequest(
                                "chunked",
                                "POST",
                                "/raw/echo",
                                "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\nTrailer: X-End\r\n",
                                "3\r\nabc\r\n0\r\nX-End: 1\r\n\r\n"),
                        new WireRequest("no length", "POST", "/raw/echo", "", ""),
                        WireRequest.post("/raw/echo", "text/plain", "abc").with("Expect: 100-continue")));
    }

    private static Map<String, Function<ServerWebExchange, Mono<Void>>> pages() {
        Map<String, Function<ServerWebExchange, Mono<Void>>> pages = new LinkedHashMap<>();
        for (int status :
                new int[] {200, 201, 202, 204, 205, 206, 299, 300, 302, 304, 400, 404, 410, 418, 499, 500, 599, 600, 999
                }) {
            pages.put("status-" + status, exchange -> {
                exchange.getResponse().setRawStatusCode(status);
                return exchange.getResponse().setComplete();
            });
            pages.put("status-body-" + status, exchange -> {
                exchange.getResponse().setRawStatusCode(status);
                exchange.getResponse().getHeaders().setContentType(MediaType.TEXT_PLAIN);
                return write(exchange, "four");
            });
        }
        for (int declared : new int[] {0, 3, 4, 5}) {
            pages.put("length-" + declared, exchange -> {
                exchange.getResponse().getHeaders().setContentLength(declared);
                return write(exchange, "four");
            });
        }
        for (int size : new int[] {1, 8193, 20_000}) {
            pages.put("size-" + size, exchange -> write(exchange, "x".repeat(size)));
        }
        List<String> values = List.of(
                "a",
                "",
                " a ",
                "a\tb",
                "\u00e4",
                "\u65e5\u672c",
                "a\r\nX-Injected: 1",
                "a\u0000b",
                "\u0080",
                "x".repeat(5000));
        for (String value : values) {
            pages.put("header-" + values.indexOf(value), exchange -> {
                exchange.getResponse().getHeaders().set("X-Value", value);
                exchange.getResponse().getHeaders().add("X-Value", value);
                return write(exchange, "a");
            });
        }
        List<String> names = List.of(
                "x-lower",
                "X:Colon",
                "X Space",
                "Server",
                "Connection",
                "Content-Language",
                "Content-Encoding",
                "Vary",
                "Date",
                "Age",
                "Set-Cookie",
                "Transfer-Encoding",
                "X-Content-Type-Options");
        for (String name : names) {
            pages.put("name-" + names.indexOf(name), exchange -> {
                exchange.getResponse().getHeaders().add(name, "a");
                exchange.getResponse().getHeaders().add(name, "b");
                return write(exchange, "a");
            });
        }
        List<String> types = List.of(
                "text/plain",
                "text/plain;charset=ISO-8859-1",
                "TEXT/Plain ; Charset=\"utf-8\"",
                "garbage",
                "",
                "text/plain;charset=bogus",
                "text/html;foo=bar");
        for (String type : types) {
            pages.put("type-" + types.indexOf(type), exchange -> {
                exchange.getResponse().getHeaders().set("Content-Type", type);
                return write(exchange, "a");
            });
            pages.put("type-no-body-" + types.indexOf(type), exchange -> {
                exchange.getResponse().getHeaders().set("Content-Type", type);
                return exchange.getResponse().setComplete();
            });
        }
        List<String> locations =
                List.of("/orders/1", "orders/1", "/a#b", "/a b", "/\u00e4", "", "https://other.example/\u00e4");
        for (String location : locations) {
            pages.put("location-" + locations.indexOf(location), exchange -> {
                exchange.getResponse().setStatusCode(HttpStatus.FOUND);
                exchange.getResponse().getHeaders().set("Location", location);
                return exchange.getResponse().setComplete();
            });
        }
        pages.put("nothing", exchange -> Mono.empty());
        pages.put("empty-flux", exchange -> exchange.getResponse().writeWith(Flux.empty()));
        pages.put("empty-mono", exchange -> exchange.getResponse().writeWith(Mono.empty()));
        pages.put(
                "flux",
                exchange -> exchange.getResponse()
                        .writeWith(Flux.just("a", "b", "c").map(text -> buffer(exchange, text))));
        pages.put(
                "flux-of-one",
                exchange -> exchange.getResponse().writeWith(Flux.just("a").map(text -> buffer(exchange, text))));
        pages.put("flux-declared", exchange -> {
            exchange.getResponse().getHeaders().setContentLength(3);
            return exchange.getResponse().writeWith(Flux.just("a", "b", "c").map(text -> buffer(exchange, text)));
        });
        pages.put(
                "flushed",
                exchange -> exchange.getResponse()
                        .writeAndFlushWith(Flux.just("a", "b").map(text -> Mono.just(buffer(exchange, text)))));
        pages.put("twice", exchange -> write(exchange, "a").then(write(exchange, "b")));
        pages.put(
                "then-header",
                exchange -> write(exchange, "a").then(Mono.fromRunnable(() -> late(exchange.getResponse()))));
        pages.put(
                "complete-then-write",
                exchange -> exchange.getResponse().setComplete().then(write(exchange, "a")));
        pages.put("before-commit", exchange -> {
            exchange.getResponse().beforeCommit(() -> {
                exchange.getResponse().getHeaders().set("X-Hook", "1");
                return Mono.empty();
            });
            return write(exchange, "a");
        });
        pages.put("cookie", exchange -> {
            exchange.getResponse().addCookie(ResponseCookie.from("a", "b").build());
            return write(exchange, "a");
        });
        pages.put("fails", exchange -> Mono.error(new IllegalStateException("ordered by a test")));
        pages.put("throws", exchange -> {
            throw new IllegalStateException("ordered by a test");
        });
        pages.put("refused", exchange -> Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND, "refused")));
        pages.put("refused-with-headers", exchange -> {
            exchange.getResponse().getHeaders().set("X-Before", "1");
            exchange.getResponse().getHeaders().setContentType(MediaType.TEXT_XML);
            exchange.getResponse().setStatusCode(HttpStatus.CREATED);
            return Mono.error(new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "refused"));
        });
        pages.put(
                "fails-after",
                exchange -> write(exchange, "a").then(Mono.error(new IllegalStateException("ordered by a test"))));
        pages.put(
                "refused-after",
                exchange -> write(exchange, "a").then(Mono.error(new ResponseStatusException(HttpStatus.NOT_FOUND))));
        return pages;
    }

    private static void late(ServerHttpResponse response) {
        if (!response.setStatusCode(HttpStatus.NOT_FOUND)) {
            response.getHeaders().getFirst("X-Any");
        }
    }

    private static DataBuffer buffer(ServerWebExchange exchange, String text) {
        return exchange.getResponse().bufferFactory().wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static Mono<Void> write(ServerWebExchange exchange, String text) {
        return exchange.getResponse().writeWith(Mono.fromSupplier(() -> buffer(exchange, text)));
    }

    /** Tells what a request brought. */
    private static Mono<Void> echo(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        String told =
                exchange.getRequest().getMethod() + " " + exchange.getRequest().getURI() + " "
                        + headers.get("Content-Type") + " " + headers.getContentLength() + " ";
        Mono<String> body = "way=form".equals(exchange.getRequest().getURI().getRawQuery())
                ? exchange.getFormData().map(form -> new TreeMap<>(form).toString())
                : exchange.getRequest()
                        .getBody()
                        .map(buffer -> buffer.toString(StandardCharsets.ISO_8859_1))
                        .collectList()
                        .map(parts -> String.join("", parts));
        return body.defaultIfEmpty("none").flatMap(text -> write(exchange, told + text));
    }

    /** Hands the exchange to a page. */
    private record Raw(Function<ServerWebExchange, Mono<Void>> page) implements ServerResponse {

        @Override
        public HttpStatusCode statusCode() {
            return HttpStatus.OK;
        }

        @Override
        public HttpHeaders headers() {
            return new HttpHeaders();
        }

        @Override
        public MultiValueMap<String, ResponseCookie> cookies() {
            return new LinkedMultiValueMap<>();
        }

        @Override
        public Mono<Void> writeTo(ServerWebExchange exchange, Context context) {
            return page.apply(exchange);
        }
    }

    @RestController
    @RequestMapping("/mvc")
    static class Handlers {

        @PostMapping("/redirect")
        ResponseEntity<Void> redirect() {
            return ResponseEntity.status(302).location(URI.create("/a#b")).build();
        }

        @PostMapping("/redirect-view")
        Mono<RedirectView> redirectView() {
            return Mono.just(new RedirectView("/a b#c"));
        }

        @PostMapping("/created")
        ResponseEntity<String> created() {
            return ResponseEntity.status(201)
                    .header("Location", "/orders/1")
                    .eTag("a")
                    .body("created");
        }

        @PostMapping("/text")
        String text() {
            return "\u00e4";
        }

        @PostMapping("/latin")
        ResponseEntity<String> latin() {
            return ResponseEntity.ok()
                    .contentType(MediaType.parseMediaType("text/plain;charset=iso-8859-1"))
                    .body("\u00e4");
        }

        @PostMapping("/json")
        Mono<Map<String, Object>> json(@RequestBody(required = false) Mono<Map<String, Object>> body) {
            return body.map(known -> Map.<String, Object>of("a", String.valueOf(known)))
                    .defaultIfEmpty(Map.of());
        }

        @PostMapping("/long")
        String longer() {
            return "x".repeat(20_000);
        }

        @PostMapping("/none")
        Mono<Void> none() {
            return Mono.empty();
        }

        @PostMapping("/flux")
        Flux<String> flux() {
            return Flux.just("a", "b");
        }

        @PostMapping(path = "/stream", produces = "application/x-ndjson")
        Flux<Map<String, Integer>> stream() {
            return Flux.just(Map.of("a", 1), Map.of("a", 2));
        }

        @PostMapping(path = "/events", produces = "text/event-stream")
        Flux<String> events() {
            return Flux.just("a", "b");
        }

        @PostMapping("/no-content")
        ResponseEntity<String> noContent() {
            return ResponseEntity.status(204).body("four");
        }

        @PostMapping("/reset-content")
        ResponseEntity<String> resetContent() {
            return ResponseEntity.status(205).body("four");
        }

        @PostMapping("/refused")
        Mono<Void> refused() {
            return Mono.error(new ResponseStatusException(HttpStatus.UNPROCESSABLE_CONTENT, "refused"));
        }

        @PostMapping("/teapot")
        ResponseEntity<String> teapot() {
            return ResponseEntity.status(418).body("four");
        }

        @PostMapping("/fails")
        Mono<Void> fails() {
            return Mono.error(new IllegalStateException("ordered by a test"));
        }

        @PostMapping("/headers")
        ResponseEntity<String> headers() {
            return ResponseEntity.ok()
                    .header("X-A", "1", "2")
                    .header("x-a", "3")
                    .varyBy("Accept", "Cookie")
                    .body("a");
        }

        @PostMapping("/form")
        Mono<String> form(ServerWebExchange exchange) {
            return exchange.getFormData().map(form -> new TreeMap<>(form).toString());
        }

        @PostMapping("/body")
        Mono<String> body(@RequestBody(required = false) Mono<String> body) {
            return body.map(text -> "body is " + text).defaultIfEmpty("none");
        }
    }
}
