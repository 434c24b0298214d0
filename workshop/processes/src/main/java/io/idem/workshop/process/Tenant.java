package io.idem.workshop.process;

import io.idem.workshop.outside.HttpProbe;
import io.idem.workshop.outside.Reply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** A client of the intake with an API key. */
public record Tenant(String name) {

    /** The first tenant. */
    public static final Tenant NORTH = new Tenant("north");

    /** The second tenant. */
    public static final Tenant SOUTH = new Tenant("south");

    /** API keys by tenant. */
    private static final Map<String, String> KEYS = Map.of("north", "north-test-key", "south", "south-test-key");

    /** Returns the settings with the API keys of both tenants. */
    public static Map<String, String> intakeSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        KEYS.forEach((name, apiKey) -> {
            String prefix = "idem.gateway.api-keys[" + settings.size() / 2 + "].";
            settings.put(prefix + "tenant", name);
            settings.put(prefix + "key", apiKey);
        });
        return settings;
    }

    /** Returns the headers of every request, except the key. */
    public Map<String, String> headers() {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Authorization", "Bearer " + KEYS.get(name));
        headers.put("Content-Type", "application/json");
        return headers;
    }

    private Map<String, String> headers(String key) {
        Map<String, String> headers = headers();
        headers.put("Idempotency-Key", key);
        return headers;
    }

    /** Sends one request and returns the reply. */
    public Reply post(HttpProbe http, String path, String key, String body) {
        return http.post(path, headers(key), body);
    }

    /** Sends one request without waiting for the reply. */
    public CompletableFuture<Reply> postAsync(HttpProbe http, String path, String key, String body) {
        return http.postAsync(path, headers(key), body);
    }

    /** Repeats a request with the same key until it is accepted, as a client should. */
    public Reply postUntilAccepted(HttpProbe http, String path, String key, String body) {
        return Waiting.waitUntil(path + " accepts " + key)
                .ignoreExceptions()
                .until(() -> post(http, path, key, body), Reply::accepted);
    }
}
