package io.idem.consumer.contract;

import io.idem.consumer.OutageSettings;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application that asks every 20 to 200 ms whether its store is back. */
@Configuration(proxyBeanMethods = false)
public class ShortPauses implements Resettable {

    @Bean
    OutageSettings outages() {
        return new OutageSettings(Duration.ofMillis(20), Duration.ofMillis(200), OutageSettings.DEFAULT_LONGEST_HOLD);
    }
}
