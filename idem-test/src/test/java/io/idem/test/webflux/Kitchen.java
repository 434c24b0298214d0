package io.idem.test.webflux;

import io.idem.Idempotent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Cooks what is ordered, on another thread than the one that took the order. */
@RestController
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Kitchen {

    private final List<String> meals = new CopyOnWriteArrayList<>();

    @PostMapping("/meals")
    @Idempotent
    Mono<String> cook(@RequestBody Mono<String> meal) {
        return meal.publishOn(Schedulers.parallel()).map(ordered -> {
            meals.add(ordered);
            return "meal " + meals.size();
        });
    }

    /** What {@code @AutoConfigureWebTestClient} does, with more patience. */
    @Bean
    @Lazy
    static WebTestClient client(ApplicationContext context) {
        return WebTestClient.bindToApplicationContext(context)
                .configureClient()
                .responseTimeout(Duration.ofMinutes(1))
                .build();
    }
}
