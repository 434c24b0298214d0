package io.idem.benchmarks;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The libraries on a class path of Maven. */
record Libraries(String classPath) {

    private static final List<String> NAMED = List.of(
            "lettuce-core",
            "spring-boot",
            "kafka-clients",
            "amqp-client",
            "redisson",
            "Jdempotent-core",
            "camel-spring-redis",
            "spring-integration-redis",
            "postgresql",
            "HikariCP",
            "jobrunr",
            "spring-modulith-events-core");

    /** Returns the versions of the libraries that influence the figures most. */
    String versions() {
        return NAMED.stream()
                .flatMap(name ->
                        pattern(name).matcher(classPath).results().limit(1).map(found -> name + " " + found.group(1)))
                .collect(Collectors.joining(", "));
    }

    private static Pattern pattern(String name) {
        return Pattern.compile("[/\\\\]" + Pattern.quote(name) + "-(\\d[^/\\\\]*?)\\.jar");
    }
}
