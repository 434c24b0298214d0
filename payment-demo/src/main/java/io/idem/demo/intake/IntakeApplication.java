package io.idem.demo.intake;

import java.util.Map;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The service that takes payments and payouts. */
@SpringBootApplication(scanBasePackages = {"io.idem.demo.intake", "io.idem.demo.messaging"})
public class IntakeApplication {

    /** The setting that names its file, {@code intake.yaml}. */
    public static final Map<String, Object> SETTINGS = Map.of("spring.config.name", "intake");

    /** Starts the intake. */
    public static void main(String[] arguments) {
        new SpringApplicationBuilder(IntakeApplication.class)
                .properties(SETTINGS)
                .run(arguments);
    }
}
