package io.idem.packaging.aot;

import io.idem.Idempotent;
import io.idem.gateway.service.GatewayApplication;
import io.idem.memory.InMemoryIdempotencyStore;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** An intake, processed ahead of time, with a configured route and a controller. Sends itself every request twice. */
@SpringBootConfiguration(proxyBeanMethods = false)
@Import({GatewayApplication.class, ProcessedIntake.Refunds.class})
public class ProcessedIntake {

    static final String API_KEY = "north-key-of-a-test";

    /** The text printed before the answers. */
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

    /** Runs the intake. */
    public static void main(String[] settings) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(ProcessedIntake.class, settings)) {
            RequestsToItself requests = new RequestsToItself(context, "Authorization", "Bearer " + API_KEY);
            System.out.println(ANSWERED + requests.twice("/v1/refunds", "/v1/payouts"));
        }
    }
}
