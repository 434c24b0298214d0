package io.idem.demo.consumer;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The consumer service. Its listeners are chosen by profile: payments, payouts, receipts, risk; by default all. */
@SpringBootApplication(
        scanBasePackages = {
            "io.idem.demo.consumer",
            "io.idem.demo.messaging",
            "io.idem.demo.payments",
            "io.idem.demo.payouts",
            "io.idem.demo.events",
            "io.idem.demo.ledger",
            "io.idem.demo.comparison",
            "io.idem.demo.provider",
            "io.idem.demo.watch"
        })
public class ConsumerApplication {

    /** Starts it with the settings in {@code consumer.yaml}. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(ConsumerApplication.class)
                .properties("spring.config.name=consumer")
                .run(arguments);
    }
}
