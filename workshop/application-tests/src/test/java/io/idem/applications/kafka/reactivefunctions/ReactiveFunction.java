package io.idem.applications.kafka.reactivefunctions;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.function.Function;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An application with a reactive function, whose messages are acknowledged before its work ends. */
@SpringBootApplication
public class ReactiveFunction {

    @Bean
    @IdempotentListener(scope = "payments")
    Function<Flux<String>, Mono<Void>> pay(Ledger ledger) {
        return payments -> payments.doOnNext(ledger::pay).then();
    }
}
