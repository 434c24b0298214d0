package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import io.idem.benchmarks.listener.KafkaTopic;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Requests to an application in this JVM that publishes them; the CPU time includes that of the clients. */
final class HttpWay extends CallerWay {

    static final String PATH = "/v1/payments";

    private static final int ACCEPTED = 202;
    private static final String BODY = "{\"account\":\"account-0001\",\"amount\":1250,\"currency\":\"EUR\"}";

    private final KafkaTopic topic;
    private final ServletWebServerApplicationContext application;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI address;

    HttpWay(KafkaTopic topic, ServletWebServerApplicationContext application) {
        this.topic = topic;
        this.application = application;
        this.address = URI.create("http://127.0.0.1:"
                + Objects.requireNonNull(application.getWebServer()).getPort() + PATH);
    }

    @Override
    void message(UUID key) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", key.toString())
                .POST(HttpRequest.BodyPublishers.ofString(BODY))
                .build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        if (response.statusCode() != ACCEPTED) {
            throw new IOException("Answered " + response.statusCode() + ": " + response.body());
        }
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of();
    }

    @Override
    public void close() {
        super.close();
        application.close();
        topic.close();
    }
}
