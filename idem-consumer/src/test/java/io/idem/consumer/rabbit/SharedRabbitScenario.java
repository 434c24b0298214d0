package io.idem.consumer.rabbit;

import io.idem.consumer.contract.SharedApplications;
import java.util.List;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A scenario whose tests share applications that have the same listeners and settings. Not for tests of what idem does once in an
 * application.
 */
abstract class SharedRabbitScenario extends RabbitScenario {

    @RegisterExtension
    static final SharedApplications<RabbitApplication> APPLICATIONS = RabbitApplication.shared();

    @Override
    final RabbitApplication start(List<Class<?>> sources, String... settings) {
        return RabbitApplication.start(APPLICATIONS, sources, settings);
    }
}
