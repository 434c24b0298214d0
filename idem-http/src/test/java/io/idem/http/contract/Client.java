package io.idem.http.contract;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** Sends requests with keys to an {@link App}. */
public final class Client {

    public static final String KEY = "Idempotency-Key";
    public static final String REPLAYED = "Idempotency-Replayed";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final App app;

    public Client(App app) {
        this.app = app;
    }

    public static String newKey() {
        return UUID.randomUUID().toString();
    }

    public Answer post(String path, String key) {
        return post(path, key, "{}");
    }

    public Answer post(String path, String key, String body) {
        return send(request(path).header(KEY, key).POST(BodyPublishers.ofString(body)));
    }

    public Answer post(String path, String key, UnaryOperator<HttpRequest.Builder> refine) {
        return send(refine.apply(request(path).header(KEY, key).POST(BodyPublishers.ofString("{}"))));
    }

    public CompletableFuture<Answer> postAsync(String path, String key) {
        return sendAsync(request(path).header(KEY, key).POST(BodyPublishers.ofString("{}")));
    }

    public CompletableFuture<Answer> sendAsync(HttpRequest.Builder request) {
        return http.sendAsync(request.build(), BodyHandlers.ofByteArray()).thenApply(Answer::new);
    }

    /** Completes as soon as that much of the answer's body has arrived; reads on to its end. */
    public CompletableFuture<String> firstBytes(String path, String key, int count) {
        HttpRequest request = request(path)
                .header(KEY, key)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        CompletableFuture<String> beginning = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(request, count, beginning), "reader");
        reader.setDaemon(true);
        reader.start();
        return beginning;
    }

    private void read(HttpRequest request, int count, CompletableFuture<String> beginning) {
        try (InputStream body = http.send(request, BodyHandlers.ofInputStream()).body()) {
            beginning.complete(new String(body.readNBytes(count), StandardCharsets.UTF_8));
            body.transferTo(OutputStream.nullOutputStream());
        } catch (IOException | InterruptedException failed) {
            beginning.completeExceptionally(failed);
        }
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(app.uri(path))
                .timeout(Duration.ofMinutes(2))
                .header("Content-Type", "application/json");
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            return new Answer(http.send(request.build(), BodyHandlers.ofByteArray()));
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** What came back. */
    public record Answer(HttpResponse<byte[]> response) {

        public int status() {
            return response.statusCode();
        }

        public byte[] bytes() {
            return response.body();
        }

        public String body() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public boolean replayed() {
            return header(REPLAYED).equals("true");
        }
    }
}
