package io.idem.demo.story;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** Posts, waits for the reply and logs both. Thread-safe. */
final class HttpClients {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final URI server;
    private final Map<String, String> apiKeys;
    private final ClientLog log;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    /** Clients of a server. {@code apiKeys} are by tenant. */
    HttpClients(URI server, Map<String, String> apiKeys, ClientLog log) {
        this.server = server;
        this.apiKeys = Map.copyOf(apiKeys);
        this.log = log;
    }

    /** Sends one request; a reply that does not come within {@code patience} is nobody's any more. */
    Exchange post(PlannedOperation operation, Body body, Duration patience) throws InterruptedException {
        HttpRequest request = request(operation, body, patience);
        long at = System.currentTimeMillis();
        long start = System.nanoTime();
        log.sending(exchange(operation, body, at, 0, null, "under way"));
        HttpResponse<byte[]> reply = null;
        String failure = "";
        try {
            reply = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (HttpTimeoutException hungUp) {
            failure = "hung up";
        } catch (IOException broken) {
            failure = String.valueOf(broken);
        }
        long micros = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start);
        Exchange exchange = exchange(operation, body, at, micros, reply, failure);
        log.add(exchange);
        return exchange;
    }

    private HttpRequest request(PlannedOperation operation, Body body, Duration patience) {
        return HttpRequest.newBuilder(server.resolve(operation.kind().path()))
                .timeout(patience)
                .header("Authorization", "Bearer " + apiKeys.get(operation.key().tenant()))
                .header("Idempotency-Key", operation.key().value())
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
                .build();
    }

    private static Exchange exchange(
            PlannedOperation operation,
            Body body,
            long at,
            long micros,
            @Nullable HttpResponse<byte[]> reply,
            String failure) {
        return new Exchange(
                operation.kind(),
                operation.key().tenant(),
                operation.key().value(),
                body.amount(),
                at,
                micros,
                reply == null ? 0 : reply.statusCode(),
                failure,
                Boolean.parseBoolean(header(reply, "Idempotency-Replayed")),
                header(reply, "Content-Type"),
                header(reply, "Location"),
                reply == null ? "" : new String(reply.body(), StandardCharsets.ISO_8859_1));
    }

    private static String header(@Nullable HttpResponse<byte[]> reply, String name) {
        return reply == null ? "" : reply.headers().firstValue(name).orElse("");
    }
}
