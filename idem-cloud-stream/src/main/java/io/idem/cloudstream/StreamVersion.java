package io.idem.cloudstream;

import io.idem.consumer.ListenerConfigurationException;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.stream.binder.DefaultBinderFactory;

/** The version of Spring Cloud Stream: those before 5.0.2 do not go with Spring Boot 4.1. */
final class StreamVersion {

    private static final int[] FIRST = {5, 0, 2};

    private StreamVersion() {}

    /**
     * Checks the version of this application.
     *
     * @throws ListenerConfigurationException if it is too old
     */
    static void check() {
        check(DefaultBinderFactory.class.getPackage().getImplementationVersion());
    }

    /** @param version as in its jar; null if unknown, then nothing is checked */
    static void check(@Nullable String version) {
        if (version != null && isBefore(version.split("[.-]", -1))) {
            throw new ListenerConfigurationException(
                    "Spring Cloud Stream " + version + " does not go with Spring Boot 4.1",
                    "Use Spring Cloud 2025.1.2 or newer, which has Spring Cloud Stream 5.0.2 or newer",
                    null);
        }
    }

    private static boolean isBefore(String[] parts) {
        for (int i = 0; i < FIRST.length && i < parts.length; i++) {
            if (!parts[i].matches("\\d{1,9}")) {
                return false;
            }
            int difference = Integer.compare(Integer.parseInt(parts[i]), FIRST[i]);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }
}
