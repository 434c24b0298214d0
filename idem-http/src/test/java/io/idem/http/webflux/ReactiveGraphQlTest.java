package io.idem.http.webflux;

import io.idem.http.contract.App;
import io.idem.http.contract.AppTest;
import io.idem.http.contract.GraphQlContract;
import io.idem.http.contract.Runs;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.stereotype.Controller;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** H-12, on virtual threads where the JDK has them. */
@Tag("extended")
@AppTest(
        value = ReactiveGraphQlTest.Ordering.class,
        type = WebApplicationType.REACTIVE,
        settings = {
            "idem.http.tenant=SINGLE",
            "idem.http.routes[0].path=/graphql",
            "spring.graphql.schema.locations=classpath:graphql-orders/",
            "spring.threads.virtual.enabled=true"
        })
class ReactiveGraphQlTest extends GraphQlContract {

    ReactiveGraphQlTest(App app) {
        super(app);
    }

    @Controller
    static class Orders {

        private final Runs runs;

        Orders(Runs runs) {
            this.runs = runs;
        }

        @MutationMapping
        Mono<String> order(@Argument String key, @Argument String item) {
            // Waits while a test wants it to, and a duplicate may come in on the same thread of Netty.
            return Mono.fromCallable(() -> GraphQlContract.order(runs, key, item))
                    .subscribeOn(Schedulers.boundedElastic());
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({ReactiveShop.Open.class, ReactiveShop.Parts.class, Orders.class})
    static class Ordering {}
}
