package io.idem.workshop.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** An HTTP client of an application under test. Thread-safe. */
public final class HttpProbe {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final URI server;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();

    /** Creates a client of the application at a port of this machine. */
    public HttpProbe(int port) {
        this.server = URI.create("http://127.0.0.1:" + port);
    }

    public int port() {
        return server.getPort();
    }

    /** Sends a POST request and waits for the reply. */
    public Reply post(String path, Map<String, String> headers, String body) {
        return postAsync(path, headers, body).join();
    }

    /** Sends a POST request; the future fails if the connection does. */
    public CompletableFuture<Reply> postAsync(String path, Map<String, String> headers, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .timeout(PATIENCE)
                .POST(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8));
        headers.forEach(request::header);
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1))
                .thenApply(HttpProbe::reply);
    }

    /** Sends a GET request and waits for the reply. */
    public Reply get(String path, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE).GET();
        headers.forEach(request::header);
        try {
            return reply(client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while waiting for " + path, e);
        }
    }

    private static Reply reply(HttpResponse<String> response) {
        return new Reply(response.statusCode(), new TreeMap<>(response.headers().map()), response.body());
    }
}
