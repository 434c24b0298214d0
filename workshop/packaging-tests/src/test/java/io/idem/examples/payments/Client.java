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
        return send(request(key, amount));
    }

    /** What it answers a client that would wait for the outcome. */
    HttpResponse<String> payAndWait(String key, long amount) throws IOException, InterruptedException {
        return send(request(key, amount).header("Prefer", "wait=5"));
    }

    private HttpRequest.Builder request(String key, long amount) {
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/v1/payments"))
                .header("Authorization", "Bearer " + API_KEY)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(
                        "{\"account\":\"account-1\",\"amount\":" + amount + ",\"currency\":\"EUR\"}"));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
    }
}
