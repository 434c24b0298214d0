package io.idem.http.clients;

import static org.awaitility.Awaitility.await;

import io.idem.http.clients.RetryingClient.Seen;
import io.idem.http.contract.App;
import io.idem.http.contract.Client;
import io.idem.http.contract.Runs;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What can happen to a client's request, and what its user sees then. */
public final class Troubles {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final App app;
    private final Runs runs;

    public Troubles(App app) {
        this.app = app;
        this.runs = app.bean(Runs.class);
    }

    /**
     * What came of a request.
     *
     * @param first what the user saw
     * @param again what the user saw who sent the request once more
     * @param runs how often the handler ran
     */
    public record Outcome(Seen first, Seen again, int runs) {}

    /** Trouble that a request meets. */
    public enum Trouble {
        /** The connection closes after the handler has run, before its answer has come. */
        LOST_ANSWER,
        /** The handler answers 503 with {@code Retry-After}, once. */
        UNAVAILABLE,
        /** Another request with the key is running, and ends after this one was answered, or has waited. */
        STILL_RUNNING
    }

    /** Sends a request, and once more under its key. */
    public Outcome meet(RetryingClient client, Trouble trouble, String path) throws IOException {
        String key = Client.newKey();
        try (LossyProxy proxy = new LossyProxy(app.port())) {
            Seen first = switch (trouble) {
                case LOST_ANSWER -> {
                    proxy.loseAnswer();
                    yield client.post(proxy.uri(path), key, PATIENCE);
                }
                case UNAVAILABLE -> client.post(proxy.uri(path + "?unavailable"), key, PATIENCE);
                case STILL_RUNNING -> besideAnother(client, proxy, path, key);
            };
            String same = trouble == Trouble.UNAVAILABLE ? path + "?unavailable" : path;
            return new Outcome(first, client.post(proxy.uri(same), key, PATIENCE), runs.of(key));
        }
    }

    private Seen besideAnother(RetryingClient client, LossyProxy proxy, String path, String key) {
        runs.shut(key);
        CompletableFuture<Client.Answer> running = app.client().postAsync(path, key);
        await().until(() -> runs.of(key) == 1);
        CompletableFuture<Seen> seen = CompletableFuture.supplyAsync(() -> client.post(proxy.uri(path), key, PATIENCE));
        await().until(path.equals(ClientsApp.WAITS) ? proxy::hasForwarded : proxy::hasAnswered);
        runs.open(key);
        running.join();
        return seen.join();
    }
}
