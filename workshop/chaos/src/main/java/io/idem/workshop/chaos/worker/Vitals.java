package io.idem.workshop.chaos.worker;

import java.nio.file.Path;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Configures the reports on heap and threads of an application, if the setting is present. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(Names.VITALS)
class Vitals {

    @Bean
    VitalSigns vitalSigns(Environment environment) {
        return new VitalSigns(Path.of(environment.getRequiredProperty(Names.VITALS))
                .resolve(Long.toString(ProcessHandle.current().pid())));
    }
}
