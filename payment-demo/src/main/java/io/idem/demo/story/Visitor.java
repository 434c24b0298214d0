package io.idem.demo.story;

import io.idem.IdempotencyKey;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Somebody who sends single requests by hand, each when it is asked to. Thread-safe; every method blocks until the
 * replies are there.
 */
public final class Visitor implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int AT_ONCE = 2;

    private final HttpClients http;
    private final ExecutorService helpers = Executors.newFixedThreadPool(AT_ONCE);

    /** A visitor that talks to {@code server} with the API keys of the tenants. */
    public Visitor(URI server, Map<String, String> apiKeys, ClientLog log) {
        this.http = new HttpClients(server, apiKeys, log);
    }

    /** Something to ask for. */
    public static PlannedOperation operation(Kind kind, String tenant, String key, Body body) {
        return new PlannedOperation(kind, new IdempotencyKey(tenant, key), body, Set.of());
    }

    /** Sends one request. */
    public Exchange send(PlannedOperation operation) throws InterruptedException {
        return http.post(operation, operation.body(), PATIENCE);
    }

    /** Asks once under the same key for another amount. */
    public Exchange sendChanged(PlannedOperation operation) throws InterruptedException {
        return http.post(operation, operation.body().changed(), PATIENCE);
    }

    /** Asks twice at the same time. */
    public List<Exchange> sendTwiceAtOnce(PlannedOperation operation) throws InterruptedException {
        List<Future<Exchange>> posts = new ArrayList<>();
        for (int client = 0; client < AT_ONCE; client++) {
            posts.add(helpers.submit(() -> send(operation)));
        }
        List<Exchange> exchanges = new ArrayList<>();
        for (Future<Exchange> post : posts) {
            exchanges.add(await(post));
        }
        return exchanges;
    }

    private static Exchange await(Future<Exchange> post) throws InterruptedException {
        try {
            return post.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("A client broke down", failed.getCause());
        }
    }

    @Override
    public void close() {
        helpers.shutdownNow();
    }
}
