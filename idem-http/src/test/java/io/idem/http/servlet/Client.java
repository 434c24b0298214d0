package io.idem.http.servlet;

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
final class Client {

    static final String KEY = "Idempotency-Key";
    static final String REPLAYED = "Idempotency-Replayed";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();
    private final App app;

    Client(App app) {
        this.app = app;
    }

    static String newKey() {
        return UUID.randomUUID().toString();
    }

    Answer post(String path, String key) {
        return post(path, key, "{}");
    }

    Answer post(String path, String key, String body) {
        return send(request(path).header(KEY, key).POST(BodyPublishers.ofString(body)));
    }

    Answer post(String path, String key, UnaryOperator<HttpRequest.Builder> refine) {
        return send(refine.apply(request(path).header(KEY, key).POST(BodyPublishers.ofString("{}"))));
    }

    CompletableFuture<Answer> postAsync(String path, String key) {
        HttpRequest request = request(path)
                .header(KEY, key)
                .POST(BodyPublishers.ofString("{}"))
                .build();
        return http.sendAsync(request, BodyHandlers.ofByteArray()).thenApply(Answer::new);
    }

    /** Completes as soon as that much of the answer's body has arrived; reads on to its end. */
    CompletableFuture<String> firstBytes(String path, String key, int count) {
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

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(app.uri(path))
                .timeout(Duration.ofSeconds(30))
                .header("Content-Type", "application/json");
    }

    Answer send(HttpRequest.Builder request) {
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
    record Answer(HttpResponse<byte[]> response) {

        int status() {
            return response.statusCode();
        }

        byte[] bytes() {
            return response.body();
        }

        String body() {
            return new String(response.body(), StandardCharsets.UTF_8);
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        boolean replayed() {
            return header(REPLAYED).equals("true");
        }
    }
}
