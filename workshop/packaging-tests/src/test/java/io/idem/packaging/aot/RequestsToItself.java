package io.idem.packaging.aot;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;

/** The POST requests of a program to its own server, with one idempotency key for each path. */
final class RequestsToItself {

    private final URI itself;
    private final String[] headers;

    /** @param headers the headers of every request, names and values alternating */
    RequestsToItself(ConfigurableApplicationContext context, String... headers) {
        this.itself = URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
        this.headers = headers;
    }

    /** Sends a request to each path twice; returns the status, the body and whether it is a replay, for each answer. */
    List<String> twice(String... paths) throws IOException, InterruptedException {
        List<String> answers = new ArrayList<>();
        for (String path : paths) {
            answers.add(post(path));
            answers.add(post(path));
        }
        return answers;
    }

    private String post(String path) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(itself.resolve(path))
                .header("Idempotency-Key", "key-of" + path.replace('/', '-'))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body() + " "
                + answer.headers().firstValue("Idempotency-Replayed").orElse("first");
    }
}
