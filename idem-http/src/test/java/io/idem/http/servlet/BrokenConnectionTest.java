package io.idem.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.idem.Idempotent;
import io.idem.http.IdempotentRoute;
import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.Client;
import io.idem.http.contract.Client.Answer;
import io.idem.http.contract.Runs;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.http.server.ServletServerHttpRequest;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.AsyncRequestNotUsableException;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Handlers whose own connection breaks, with exceptions that Spring takes for those of a client that went away. */
@AppTest(value = BrokenConnectionTest.Breaking.class, settings = "idem.http.tenant=SINGLE")
class BrokenConnectionTest {

    private final Client client;
    private final Runs runs;
    private final String key = Client.newKey();

    BrokenConnectionTest(App app) {
        this.client = app.client();
        this.runs = app.bean(Runs.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/annotated/eof",
                "/annotated/pipe",
                "/annotated/callable/eof",
                "/annotated/future/pipe",
                "/annotated/stream/eof",
                "/configured/eof",
                "/configured/pipe",
                "/routed/eof",
                "/routed/pipe",
                "/routed/async/eof"
            })
    void aHandlerWhoseOwnConnectionBrokeGets500AndFreesTheKey(String path) {
        Answer first = client.post(path, key);
        Answer second = client.post(path, key);
        Answer third = client.post(path, key);

        assertThat(first.status()).isEqualTo(500);
        assertThat(second.replayed()).isFalse();
        assertThat(second.body()).isEqualTo("run 2");
        assertThat(third.replayed()).isTrue();
        assertThat(runs.of(key)).isEqualTo(2);
    }

    /** It was the container that gave up; the work may still be running: it must not be run beside itself. */
    @Test
    void whatTheContainerGaveUpIsNotRunBesideItself() {
        assertThat(client.post("/annotated/given-up", key).status()).isEqualTo(500);

        Answer second = client.post("/annotated/given-up", key);
        assertThat(second.status()).isEqualTo(409);
        assertThat(Integer.parseInt(second.header("Retry-After"))).isBetween(1, 30);
        assertThat(runs.of(key)).isEqualTo(1);
    }

    @Test
    void anExceptionHandlerOfTheApplicationAnswersFirst() {
        Answer first = client.post("/annotated/handled", key);
        Answer second = client.post("/annotated/handled", key);

        assertThat(first.status()).isEqualTo(422);
        assertThat(first.body()).isEqualTo("handled 1");
        assertThat(second.replayed()).isTrue();
        assertThat(second.bytes()).isEqualTo(first.bytes());
    }

    @Test
    void aBodyThatEndsTooEarlyIsStillTheClientsMistake() {
        assertThat(client.post("/annotated/truncated", key).status()).isEqualTo(400);
        assertThat(client.post("/annotated/truncated", key).replayed()).isTrue();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Shop.Open.class, Shop.Parts.class, Annotated.class})
    static class Breaking {

        @Bean
        IdempotentRoute route() {
            return IdempotentRoute.post("/configured/**");
        }

        @Bean
        IdempotentRoute functionalRoute() {
            return IdempotentRoute.post("/routed/**");
        }

        @Bean
        RouterFunction<ServerResponse> configured(Upstream upstream) {
            return RouterFunctions.route()
                    .POST("/configured/{kind}", request -> ServerResponse.ok().body(asked(upstream, request)))
                    .build();
        }

        @Bean
        RouterFunction<ServerResponse> routed(Upstream upstream) {
            return RouterFunctions.route()
                    .POST("/routed/{kind}", request -> ServerResponse.ok().body(asked(upstream, request)))
                    .POST(
                            "/routed/async/{kind}",
                            request -> ServerResponse.async(upstream.later(keyOf(request), request.pathVariable("kind"))
                                    .thenApply(answer -> ServerResponse.ok().body(answer))))
                    .build();
        }

        @Bean
        Upstream upstream(Runs runs) {
            return new Upstream(runs);
        }

        private static String asked(Upstream upstream, ServerRequest request) throws IOException {
            return upstream.ask(keyOf(request), request.pathVariable("kind"));
        }

        private static String keyOf(ServerRequest request) {
            return String.valueOf(request.headers().firstHeader(Client.KEY));
        }
    }

    /** Another service, whose connection ends while it is asked for the first time. */
    record Upstream(Runs runs) {

        String ask(String key, String kind) throws IOException {
            int run = runs.enter(key);
            if (run == 1) {
                throw kind.equals("eof") ? new EOFException("ordered by a test") : new IOException("Broken pipe");
            }
            return "run " + run;
        }

        CompletableFuture<String> later(String key, String kind) {
            try {
                return CompletableFuture.completedFuture(ask(key, kind));
            } catch (IOException broken) {
                return CompletableFuture.failedFuture(broken);
            }
        }
    }

    static final class Broken extends IOException {

        private static final long serialVersionUID = 1;

        Broken(int run) {
            super("handled " + run, new IOException("Connection reset by peer"));
        }
    }

    @RestController
    @RequestMapping("/annotated")
    @Idempotent
    static class Annotated {

        private final Upstream upstream;

        Annotated(Upstream upstream) {
            this.upstream = upstream;
        }

        @PostMapping("/{kind}")
        String plain(@RequestHeader(Client.KEY) String key, @PathVariable String kind) throws IOException {
            return upstream.ask(key, kind);
        }

        @PostMapping("/callable/{kind}")
        Callable<String> callable(@RequestHeader(Client.KEY) String key, @PathVariable String kind) {
            return () -> upstream.ask(key, kind);
        }

        @PostMapping("/future/{kind}")
        CompletableFuture<String> future(@RequestHeader(Client.KEY) String key, @PathVariable String kind) {
            return upstream.later(key, kind);
        }

        @PostMapping("/stream/{kind}")
        StreamingResponseBody stream(@RequestHeader(Client.KEY) String key, @PathVariable String kind) {
            return out -> out.write(upstream.ask(key, kind).getBytes(StandardCharsets.US_ASCII));
        }

        /** As Spring ends a result that is open when the container tells of an error of the connection. */
        @PostMapping("/given-up")
        DeferredResult<String> givenUp(@RequestHeader(Client.KEY) String key) {
            var unused = upstream.runs().enter(key);
            DeferredResult<String> open = new DeferredResult<>();
            open.setErrorResult(new AsyncRequestNotUsableException("ordered by a test"));
            return open;
        }

        @PostMapping("/handled")
        String handled(@RequestHeader(Client.KEY) String key) throws IOException {
            throw new Broken(upstream.runs().enter(key));
        }

        @ExceptionHandler
        ResponseEntity<String> refused(Broken failure) {
            return ResponseEntity.unprocessableContent().body(failure.getMessage());
        }

        /** As a converter that reads a compressed body. */
        @PostMapping("/truncated")
        String truncated(HttpServletRequest request) {
            throw new HttpMessageNotReadableException(
                    "ordered by a test", new EOFException("no more"), new ServletServerHttpRequest(request));
        }
    }
}
