package io.idem.http.contract;

import io.idem.IdempotencyKey;
import io.idem.http.IdempotentRoute;
import io.idem.http.KeyRules;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints that conformance vectors call, the same for both stacks; {@code conformance.yml} protects them. Every POST and PATCH that
 * reaches its handler counts as a run.
 */
@RestController
public class ConformanceEndpoints {

    /** Header that stands for the authentication of clients. */
    static final String CLIENT = "X-Client";

    private final AtomicInteger runs = new AtomicInteger();
    private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

    @Bean
    static FaultyStore store() {
        return new FaultyStore();
    }

    @Bean
    static IdempotentRoute longKeys() {
        return IdempotentRoute.post("/long-keys")
                .with(options -> options.keyRules(new KeyRules(1, IdempotencyKey.MAX_LENGTH, KeyRules.Format.ANY)));
    }

    @Bean
    static IdempotentRoute clients() {
        return IdempotentRoute.post("/clients")
                .with(options -> options.tenants(
                        request -> request.header(CLIENT).stream().findFirst()));
    }

    int runs() {
        return runs.get();
    }

    /** Forgets the runs so far, and lets held answers go. */
    void reset() {
        release();
        runs.set(0);
    }

    /** Holds the answers of {@code /slow} back. */
    void hold() {
        gate = new CompletableFuture<>();
    }

    void release() {
        gate.complete(null);
    }

    @RequestMapping(
            path = {"/echo", "/unprotected", "/optional", "/uuids", "/selected", "/long-keys", "/clients"},
            method = {RequestMethod.POST, RequestMethod.PATCH})
    ResponseEntity<byte[]> echo(@RequestHeader(HttpHeaders.CONTENT_TYPE) String type, @RequestBody byte[] body) {
        return ResponseEntity.status(HttpStatus.CREATED)
                .header(HttpHeaders.CONTENT_TYPE, type)
                .header(HttpHeaders.LOCATION, "/runs/" + runs.incrementAndGet())
                .body(body);
    }

    @PostMapping("/status/{status}")
    ResponseEntity<byte[]> status(@PathVariable int status) {
        runs.incrementAndGet();
        return ResponseEntity.status(status)
                .contentType(MediaType.TEXT_PLAIN)
                .body(("status:" + status).getBytes(StandardCharsets.US_ASCII));
    }

    @PostMapping("/slow")
    CompletableFuture<ResponseEntity<String>> slow() {
        CompletableFuture<Void> open = gate;
        runs.incrementAndGet();
        return open.thenApply(unused -> ResponseEntity.ok("slept"));
    }

    @PostMapping("/large")
    ResponseEntity<byte[]> large(@RequestParam int bytes) {
        return ResponseEntity.ok()
                .header(HttpHeaders.LOCATION, "/runs/" + runs.incrementAndGet())
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .body("x".repeat(bytes).getBytes(StandardCharsets.US_ASCII));
    }

    @GetMapping("/counter")
    Map<String, Integer> counter() {
        return Map.of("count", runs());
    }
}
