package io.idem.applications.kafka.boundfunctions;

import io.idem.applications.shop.Ledger;
import java.util.function.Consumer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.messaging.Message;

/** An application with a function without an annotation, whose binding is guarded by a setting. */
@SpringBootApplication
public class BoundPayments {

    @Bean
    Consumer<Message<String>> pay(Ledger ledger) {
        return message -> ledger.pay(message.getPayload());
    }
}
