package io.idem.gateway;

import io.idem.http.Idempotent;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An intake with a route of its settings and a controller, that is processed ahead of time and then sends itself every request twice. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({GatewayApplication.class, ProcessedIntake.Refunds.class})
public class ProcessedIntake {

    static final String API_KEY = "north-key-of-a-test";

    /** What it prints before the answers. */
    static final String ANSWERED = "answered ";

    @Bean
    InMemoryIdempotencyStore store() {
        return new InMemoryIdempotencyStore();
    }

    @RestController
    static class Refunds {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/v1/refunds")
        @Idempotent
        String refund() {
            return "run " + runs.incrementAndGet();
        }
    }

    /** Runs it. */
    public static void main(String[] settings) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(ProcessedIntake.class, settings)) {
            URI itself =
                    URI.create("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"));
            List<String> answers = new ArrayList<>();
            for (String path : List.of("/v1/refunds", "/v1/refunds", "/v1/payouts", "/v1/payouts")) {
                answers.add(post(itself.resolve(path)));
            }
            System.out.println(ANSWERED + answers);
        }
    }

    private static String post(URI to) throws IOException, InterruptedException {
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(to)
                                .header("Authorization", "Bearer " + API_KEY)
                                .header(
                                        "Idempotency-Key",
                                        "key-of" + to.getPath().replace('/', '-'))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{}"))
                                .build(),
                        BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body() + " "
                + answer.headers().firstValue("Idempotency-Replayed").orElse("first");
    }
}
