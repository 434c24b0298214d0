package io.idem.http.servlet;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import io.idem.http.ContextTaskDecorator;
import io.idem.http.contract.Client;
import io.idem.http.contract.FaultyStore;
import io.idem.http.contract.Runs;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configurers.CsrfConfigurer;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PatchMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.multipart.MultipartHttpServletRequest;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** The application under test: handlers of every kind, open to everybody. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Shop.Orders.class, Shop.Annotated.class, Shop.Open.class, Shop.Parts.class})
class Shop {

    static class Open {

        @Bean
        SecurityFilterChain open(HttpSecurity http) throws Exception {
            return http.csrf(CsrfConfigurer::disable)
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
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
    }

    @RestController
    @RequestMapping("/orders")
    static class Orders {

        private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

        private final Runs runs;

        Orders(Runs runs) {
            this.runs = runs;
        }

        @PostMapping
        ResponseEntity<String> create(@RequestHeader(Client.KEY) String key, @RequestBody String body) {
            int run = runs.enter(key);
            return ResponseEntity.status(201)
                    .header(HttpHeaders.LOCATION, "/orders/" + run)
                    .header("X-Flavour", "sweet", "sour")
                    .header(HttpHeaders.SET_COOKIE, "session=secret")
                    .header("traceparent", "00-trace")
                    .contentType(MediaType.APPLICATION_JSON)
                    .body("{\"run\":" + run + ",\"at\":" + System.nanoTime() + ",\"body\":\"" + body.length() + "\"}");
        }

        @PutMapping("/{id}")
        String put(@RequestHeader(Client.KEY) String key, @PathVariable String id) {
            return id + runs.enter(key);
        }

        @GetMapping
        String list(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return "list " + runs.enter(key);
        }

        @PostMapping("/optional")
        String optional(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return "run " + runs.enter(key);
        }

        @PostMapping("/status/{status}")
        ResponseEntity<String> status(@RequestHeader(Client.KEY) String key, @PathVariable int status) {
            return ResponseEntity.status(status).body("run " + runs.enter(key));
        }

        @PostMapping("/error/{status}")
        void error(@RequestHeader(Client.KEY) String key, @PathVariable int status, HttpServletResponse response)
                throws IOException {
            response.setHeader("X-Run", Integer.toString(runs.enter(key)));
            response.sendError(status, "no");
        }

        @PostMapping("/thrown/{status}")
        void thrown(@RequestHeader(Client.KEY) String key, @PathVariable int status) {
            runs.enter(key);
            throw new ResponseStatusException(HttpStatusCode.valueOf(status));
        }

        @PostMapping("/thrown-later/{status}")
        CompletableFuture<Void> thrownLater(@RequestHeader(Client.KEY) String key, @PathVariable int status) {
            return CompletableFuture.runAsync(() -> thrown(key, status));
        }

        @PatchMapping("/form")
        String changed() {
            return "changed";
        }

        @PostMapping("/fails-once")
        String failsOnce(@RequestHeader(Client.KEY) String key) {
            if (runs.enter(key) == 1) {
                throw new IllegalStateException("ordered by a test");
            }
            return "ok";
        }

        @PostMapping("/redirect")
        void redirect(@RequestHeader(Client.KEY) String key, HttpServletResponse response) throws IOException {
            response.sendRedirect("/orders/" + runs.enter(key));
        }

        @PostMapping("/writer")
        void writer(@RequestHeader(Client.KEY) String key, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain;charset=UTF-8");
            response.setHeader(HttpHeaders.CONTENT_LENGTH, "6");
            response.getWriter().print("zwölf");
            response.getWriter().flush();
            runs.enter(key);
        }

        @PostMapping("/no-content")
        ResponseEntity<Void> noContent(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return ResponseEntity.noContent().build();
        }

        @PostMapping("/not-modified")
        ResponseEntity<Void> notModified(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return ResponseEntity.status(304).eTag("\"v1\"").build();
        }

        @PostMapping("/proxied")
        ResponseEntity<String> proxied(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return ResponseEntity.ok()
                    .header(HttpHeaders.TRANSFER_ENCODING, "chunked")
                    .header(HttpHeaders.CONNECTION, "keep-alive")
                    .body("as copied from another server");
        }

        @PostMapping({"/own-marker", "/own-marker/large"})
        void ownMarker(@RequestHeader(Client.KEY) String key, HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            runs.enter(key);
            response.setHeader("X-Upstream", "yes");
            response.setHeader(Client.REPLAYED, "true");
            response.addHeader(Client.REPLAYED.toLowerCase(Locale.ROOT), "yes");
            response.addHeader("Idempotency-Body-Omitted", "true");
            int size = request.getRequestURI().endsWith("large") ? 100_000 : 10;
            response.getOutputStream().write("x".repeat(size).getBytes(StandardCharsets.US_ASCII));
        }

        @PostMapping("/localized")
        void localized(@RequestHeader(Client.KEY) String key, HttpServletResponse response) throws IOException {
            runs.enter(key);
            response.setLocale(Locale.forLanguageTag("de-AT"));
            response.getOutputStream().print("Servus");
        }

        @PostMapping(path = "/parts", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
        String parts(@RequestHeader(Client.KEY) String key, MultipartHttpServletRequest request) {
            int run = runs.enter(key);
            return request.getParameterMap().values().stream()
                            .mapToInt(values -> values.length)
                            .sum()
                    + " parts, run " + run;
        }

        @PostMapping("/large")
        byte[] large(@RequestHeader(Client.KEY) String key, @RequestParam int size) {
            runs.enter(key);
            return "x".repeat(size).getBytes(StandardCharsets.US_ASCII);
        }

        /** What cannot be compressed. */
        @PostMapping("/noise")
        byte[] noise(@RequestHeader(Client.KEY) String key, @RequestParam int size) {
            return runs.noise(runs.enter(key), size);
        }

        @PostMapping(path = "/form", consumes = MediaType.APPLICATION_FORM_URLENCODED_VALUE)
        String form(@RequestHeader(Client.KEY) String key, @RequestParam String item, @RequestParam String note) {
            return item + "/" + note + "/" + runs.enter(key);
        }

        @PostMapping(path = "/upload", consumes = MediaType.MULTIPART_FORM_DATA_VALUE)
        String upload(
                @RequestHeader(Client.KEY) String key, @RequestParam String item, @RequestParam MultipartFile file)
                throws IOException {
            return item + "/" + file.getOriginalFilename() + "/" + new String(file.getBytes(), StandardCharsets.UTF_8)
                    + "/" + runs.enter(key);
        }

        @PostMapping("/callable")
        Callable<ResponseEntity<String>> callable(@RequestHeader(Client.KEY) String key) {
            return () -> ResponseEntity.status(201).body("callable " + runs.enter(key));
        }

        @PostMapping("/deferred")
        DeferredResult<String> deferred(@RequestHeader(Client.KEY) String key) {
            DeferredResult<String> result = new DeferredResult<>();
            Thread worker = new Thread(() -> result.setResult("deferred " + runs.enter(key)), "worker");
            worker.start();
            return result;
        }

        @PostMapping("/future")
        CompletableFuture<String> future(@RequestHeader(Client.KEY) String key) {
            return CompletableFuture.supplyAsync(() -> "future " + runs.enter(key));
        }

        @PostMapping("/future-fails-once")
        CompletableFuture<String> futureFailsOnce(@RequestHeader(Client.KEY) String key) {
            return CompletableFuture.supplyAsync(() -> failsOnce(key));
        }

        @PostMapping("/times-out/{end}")
        CompletableFuture<String> timesOut(@RequestHeader(Client.KEY) String key, @PathVariable String end) {
            runs.enter(key);
            CompletableFuture<String> never = new CompletableFuture<>();
            if (end.equals("cancelled")) {
                never.cancel(true);
            }
            return never.orTimeout(50, TimeUnit.MILLISECONDS);
        }

        @PostMapping("/never")
        DeferredResult<String> never(@RequestHeader(Client.KEY) String key) {
            runs.enter(key);
            return new DeferredResult<>(100L);
        }

        @PostMapping("/events")
        SseEmitter events(@RequestHeader(Client.KEY) String key) {
            SseEmitter emitter = new SseEmitter();
            Thread worker = new Thread(() -> emit(emitter, key), "emitter");
            worker.start();
            return emitter;
        }

        private void emit(SseEmitter emitter, String key) {
            try {
                emitter.send("first");
                runs.enter(key);
                emitter.send("second");
                emitter.complete();
            } catch (IOException clientGone) {
                LOG.debug("The container ends the exchange", clientGone);
            }
        }

        @PostMapping("/streaming")
        StreamingResponseBody streaming(@RequestHeader(Client.KEY) String key) {
            return out -> {
                out.write("first, more than the container buffers ".repeat(500).getBytes(StandardCharsets.US_ASCII));
                runs.enter(key);
                out.write("second".getBytes(StandardCharsets.US_ASCII));
            };
        }

        @PostMapping("/bound/callable")
        Callable<String> boundCallable() {
            return Orders::bound;
        }

        @PostMapping("/bound/task")
        WebAsyncTask<String> boundTask() {
            return new WebAsyncTask<>(Orders::bound);
        }

        @PostMapping("/bound/stream")
        StreamingResponseBody boundStream() {
            return out -> out.write(bound().getBytes(StandardCharsets.US_ASCII));
        }

        @PostMapping("/bound/decorated")
        CompletableFuture<String> boundDecorated() {
            CompletableFuture<String> answer = new CompletableFuture<>();
            Thread worker = new Thread(new ContextTaskDecorator().decorate(() -> answer.complete(bound())), "worker");
            worker.start();
            return answer;
        }

        @GetMapping("/bound")
        Callable<String> boundWithoutKey() {
            return Orders::bound;
        }

        private static String bound() {
            return IdempotencyContext.current()
                    .map(context -> context.key().value())
                    .orElse("none");
        }

        @PostMapping("/context")
        CompletableFuture<String> context(@RequestHeader(Client.KEY) String key, IdempotencyContext context) {
            runs.enter(key);
            boolean bound = IdempotencyContext.current().isPresent();
            return CompletableFuture.supplyAsync(() -> bound + " " + context.scope() + " " + context.attempt());
        }
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
        String plain(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return "run " + runs.enter(key);
        }

        @Idempotent(required = false, scope = "http.special", waitFor = "20s")
        @PostMapping("/special")
        String special(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return "run " + runs.enter(key);
        }

        @PostMapping("/not")
        String not(@RequestHeader(name = Client.KEY, required = false) @Nullable String key) {
            return "run " + runs.enter(key);
        }
    }
}
