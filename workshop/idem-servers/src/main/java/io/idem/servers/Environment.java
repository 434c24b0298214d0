package io.idem.servers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The settings of the machine's owner. Each is a system property, or else an environment variable, of the same name.
 */
record Environment(Function<String, Optional<String>> lookup) {

    static final String ORIGINS = "IDEM_SERVERS_FROM";

    static Environment ofThisProcess() {
        return new Environment(name ->
                Optional.ofNullable(System.getProperty(name)).or(() -> Optional.ofNullable(System.getenv(name))));
    }

    Optional<String> value(String name) {
        return lookup.apply(name).map(String::strip).filter(value -> !value.isEmpty());
    }

    String value(String name, String otherwise) {
        return value(name).orElse(otherwise);
    }

    /** Returns the allowed origins: all, unless {@value #ORIGINS} lists some, separated by commas. */
    Set<Origin> allowedOrigins() {
        return value(ORIGINS).map(Environment::parse).orElseGet(() -> EnumSet.allOf(Origin.class));
    }

    private static Set<Origin> parse(String names) {
        try {
            return Arrays.stream(names.split(","))
                    .map(name -> Origin.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(Origin.class)));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    ORIGINS + " is '" + names
                            + "': use a comma-separated list of given, container, installed, embedded",
                    e);
        }
    }
}
