package io.idem.applications.rabbit.functions;

import io.idem.applications.shop.Ledger;
import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** An application with a function that Spring Cloud Stream binds to RabbitMQ. */
@SpringBootApplication
public class FunctionPayments {

    @Bean
    @IdempotentListener(scope = "payments")
    Consumer<String> pay(Ledger ledger) {
        return ledger::pay;
    }
}
