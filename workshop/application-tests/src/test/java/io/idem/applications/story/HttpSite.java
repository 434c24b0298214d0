package io.idem.applications.story;

import io.idem.servers.process.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A sender that repeats each of its requests until the application answers with 2xx, as senders of webhooks do. */
final class HttpSite implements Site {

    private static final long DELAY_MILLIS = 50;

    private final String name;
    private final int port = FreePorts.next();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService deliveries = Executors.newCachedThreadPool();
    private final AtomicLong open = new AtomicLong();

    HttpSite(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Map<String, String> settings() {
        return Map.of("server.port", Integer.toString(port), "server.address", "127.0.0.1");
    }

    @Override
    public void publish(String body, Map<String, String> headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/payments"))
                .timeout(RunningApplication.PATIENCE)
                .header("Content-Type", "text/plain")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        headers.forEach(request::header);
        open.incrementAndGet();
        deliveries.execute(() -> deliver(request.build()));
    }

    private void deliver(HttpRequest request) {
        try {
            while (!isTaken(request)) {
                TimeUnit.MILLISECONDS.sleep(DELAY_MILLIS);
            }
            open.decrementAndGet();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isTaken(HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, BodyHandlers.discarding()).statusCode() / 100 == 2;
        } catch (IOException notUp) {
            return false;
        }
    }

    @Override
    public long unacknowledged() {
        return open.get();
    }

    /** Returns 0, since the sender never gives up. */
    @Override
    public long deadLetters(String body) {
        return 0;
    }

    @Override
    public void close() {
        deliveries.shutdownNow();
    }
}
