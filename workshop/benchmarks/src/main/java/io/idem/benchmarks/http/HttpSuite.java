package io.idem.benchmarks.http;

import io.idem.benchmarks.Servers;
import io.idem.benchmarks.Suite;
import io.idem.benchmarks.redis.ServerTime;
import io.idem.benchmarks.report.Figures;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** Measures a bare route, the first request of a key, and its duplicate, alternating on one connection. */
public final class HttpSuite implements Suite {

    private static final int WARM_UP = 3_000;
    private static final int REQUESTS = 4_000;
    private static final int OK = 200;
    private static final double NANOS_PER_MICRO = 1_000;
    private static final String BODY = "{\"account\":\"account-0001\",\"amount\":1250,\"currency\":\"EUR\"}";

    private static final int SECONDS = 22;

    private final Servers servers;
    private final ServerTime time;

    public HttpSuite(Servers servers) {
        this.servers = servers;
        this.time = new ServerTime(servers.redis());
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public int seconds() {
        return SECONDS;
    }

    @Override
    public int enoughRounds() {
        return EVERY_ROUND;
    }

    @Override
    public void round(Figures figures, Random order) throws Exception {
        servers.redis().command("FLUSHALL");
        SpringApplication application = new SpringApplication(RoutesApplication.class);
        application.setDefaultProperties(settings());
        try (ServletWebServerApplicationContext running = (ServletWebServerApplicationContext) application.run()) {
            Caller caller =
                    new Caller(Objects.requireNonNull(running.getWebServer()).getPort());
            caller.turns(WARM_UP);
            time.reset();
            caller.turns(REQUESTS).forEach((name, micros) -> figures.add(name + " p50", "µs", micros));
            figures.add("commands per first request and its duplicate", "", time.calls("evalsha", "eval") / REQUESTS);
        }
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(servers.settings());
        settings.put("server.port", "0");
        settings.put("idem.http.tenant", "SINGLE");
        settings.put("spring.application.name", "bench");
        return settings;
    }

    /** Sends requests and waits for the answers. */
    private static final class Caller {

        private final HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        private final String address;

        Caller(int port) {
            address = "http://127.0.0.1:" + port;
        }

        Map<String, Double> turns(int count) throws IOException, InterruptedException {
            double[] bare = new double[count];
            double[] first = new double[count];
            double[] duplicate = new double[count];
            for (int turn = 0; turn < count; turn++) {
                String key = UUID.randomUUID().toString();
                bare[turn] = micros("/bare", key);
                first[turn] = micros("/guarded", key);
                duplicate[turn] = micros("/guarded", key);
            }
            Map<String, Double> medians = new LinkedHashMap<>();
            medians.put("HTTP: bare", median(bare));
            medians.put("HTTP: first request", median(first));
            medians.put("HTTP: duplicate", median(duplicate));
            return medians;
        }

        private double micros(String path, String key) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key)
                    .POST(HttpRequest.BodyPublishers.ofString(BODY))
                    .build();
            long start = System.nanoTime();
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            double micros = (System.nanoTime() - start) / NANOS_PER_MICRO;
            if (response.statusCode() != OK) {
                throw new IOException(path + " answered " + response.statusCode() + ": " + response.body());
            }
            return micros;
        }

        private static double median(double[] values) {
            double[] sorted = values.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }
    }
}
