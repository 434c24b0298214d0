package io.idem.cloudstream.scanned;

import io.idem.consumer.IdempotentListener;
import java.util.function.Consumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** A configuration that an application finds by scanning, of which Spring reads the annotations without the class. */
@Configuration
public class ScannedFunctions {

    @Bean
    @IdempotentListener(scope = "refunds")
    Consumer<String> refund() {
        return body -> {};
    }
}
