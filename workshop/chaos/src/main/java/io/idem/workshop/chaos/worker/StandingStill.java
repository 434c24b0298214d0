package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the detection of stalls of an application. */
@Configuration(proxyBeanMethods = false)
class StandingStill {

    @Bean
    StallWatch stallWatch(Environment environment) {
        return new StallWatch(Path.of(environment.getRequiredProperty(Names.STALLS)));
    }
}
