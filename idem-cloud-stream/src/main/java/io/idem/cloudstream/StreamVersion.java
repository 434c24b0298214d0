package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import io.idem.consumer.internal.guard.LibraryVersion;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;

/** The version of Spring Cloud Stream: those before 5.0.2 do not go with Spring Boot 4.1. */
final class StreamVersion {

    private StreamVersion() {}

    /**
     * Checks the version of this application.
     *
     * @throws ListenerConfigurationException if it is too old
     */
    static void check() {
        check(LibraryVersion.of(DefaultBinderFactory.class, "spring-cloud-stream"));
    }

    static void check(LibraryVersion version) {
        if (version.isBefore(5, 0, 2)) {
            throw new ListenerConfigurationException(
                    "Spring Cloud Stream " + version.text() + " does not go with Spring Boot 4.1",
                    "Use Spring Cloud 2025.1.2 or newer, which has Spring Cloud Stream 5.0.2 or newer");
        }
    }
}
