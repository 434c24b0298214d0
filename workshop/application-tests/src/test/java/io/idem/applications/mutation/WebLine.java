package io.idem.applications.mutation;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A client of a web server, which sends an order again when it is not answered as placed; events on RabbitMQ. */
final class WebLine implements Line {

    private static final int OK = 200;
    private static final int TRIES = 5;

    private final RabbitLine rabbit;
    private final HttpClient client = HttpClient.newHttpClient();
    private String port = "";
    private boolean refused;

    WebLine(String name) throws Exception {
        this.rabbit = new RabbitLine(name);
    }

    @Override
    public Map<String, Object> settings() {
        Map<String, Object> settings = new TreeMap<>(rabbit.settings());
        settings.put("server.port", 0);
        settings.put("idem.http.tenant", "single");
        settings.put("idem.http.wait-for", "0s");
        return settings;
    }

    @Override
    public void started(String at) {
        port = at;
    }

    @Override
    public void send(String key, String order) throws Exception {
        refused = true;
        for (int i = 0; refused && i < TRIES; i++) {
            refused = status(key, order) != OK;
        }
    }

    private int status(String key, String order) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders"))
                .header("Content-Type", "text/plain")
                .header("Idempotency-Key", key)
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Override
    public List<String> events() throws Exception {
        return rabbit.events();
    }

    /** The client has it, if it was told that it is not placed. */
    @Override
    public boolean keepsAnOrder() {
        return refused;
    }

    boolean isRefused() {
        return refused;
    }

    @Override
    public void close() throws Exception {
        rabbit.close();
    }
}
