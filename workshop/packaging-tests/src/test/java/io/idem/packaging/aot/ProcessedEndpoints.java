package io.idem.packaging.aot;

import io.idem.IdempotencyContext;
import io.idem.Idempotent;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/**
 * An application on Spring MVC or WebFlux, depending on its settings, with records in Redis and only the filter of
 * idem. It is processed ahead of time and then sends itself every request twice.
 */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(ProcessedEndpoints.Shop.class)
public class ProcessedEndpoints {

    /** The text printed before the answers. */
    static final String ANSWERED = "answered ";

    /** Selects Netty, because the class path of this module also has Tomcat. */
    @Bean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    NettyReactiveWebServerFactory netty() {
        return new NettyReactiveWebServerFactory();
    }

    /** Routes of which the annotation protects the first and the settings protect the second. */
    @RestController
    static class Shop {

        private final AtomicInteger runs = new AtomicInteger();

        @PostMapping("/orders")
        @Idempotent
        Receipt order(@RequestBody String order, IdempotencyContext context) {
            return new Receipt(runs.incrementAndGet(), context.key().value());
        }

        @PostMapping("/refunds")
        Mono<Receipt> refund(@RequestBody String refund) {
            return Mono.fromSupplier(() -> new Receipt(runs.incrementAndGet(), "none"));
        }
    }

    record Receipt(int run, String key) {}

    /** Runs the application. */
    public static void main(String[] settings) throws IOException, InterruptedException {
        try (ConfigurableApplicationContext context = SpringApplication.run(ProcessedEndpoints.class, settings)) {
            System.out.println(ANSWERED + new RequestsToItself(context).twice("/orders", "/refunds"));
        }
    }
}
