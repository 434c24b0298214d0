package io.idem.examples.payments;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** Of the guide's intake. */
record Client(String port) {

    static final String API_KEY = "north-key-of-a-test";

    /** What the intake answers at once. */
    HttpResponse<String> pay(String key, long amount) throws IOException, InterruptedException {
        return send(request("/v1/payments")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(
                        "{\"account\":\"account-1\",\"amount\":" + amount + ",\"currency\":\"EUR\"}")));
    }

    /** Returns the status once the outcome is there, or after five seconds. */
    String outcome(String key) throws IOException, InterruptedException {
        return send(request("/v1/operations?key=" + key).header("Prefer", "wait=5"))
                .body();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .header("Authorization", "Bearer " + API_KEY);
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
