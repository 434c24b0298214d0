package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Has an application notice when it stood still. */
@Configuration(proxyBeanMethods = false)
class StandingStill {

    @Bean
    StallWatch stallWatch(Environment environment) {
        return new StallWatch(Path.of(environment.getRequiredProperty(Names.STALLS)));
    }
}
