package io.idem.e2e;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.springframework.context.ConfigurableApplicationContext;

/** Calls of an application in this JVM, over HTTP. */
record HttpCalls(HttpClient client, String base) {

    static HttpCalls of(ConfigurableApplicationContext application) {
        return new HttpCalls(
                HttpClient.newHttpClient(),
                "http://127.0.0.1:" + application.getEnvironment().getRequiredProperty("local.server.port"));
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(to(path).GET());
    }

    HttpResponse<String> post(String path, String type, String body) throws IOException, InterruptedException {
        return send(to(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    /** Posts a text under a key. */
    HttpResponse<String> order(String path, String key, String text) throws IOException, InterruptedException {
        return send(to(path).header("Content-Type", "text/plain")
                .header("Idempotency-Key", key)
                .POST(BodyPublishers.ofString(text)));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(base + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
