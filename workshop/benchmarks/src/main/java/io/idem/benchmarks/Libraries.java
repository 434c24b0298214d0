package io.idem.benchmarks;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which libraries a class path of Maven's has. */
record Libraries(String classPath) {

    private static final List<String> NAMED = List.of(
            "lettuce-core",
            "spring-boot",
            "kafka-clients",
            "amqp-client",
            "redisson",
            "Jdempotent-core",
            "camel-spring-redis",
            "spring-integration-redis");

    /** Those that a figure depends on most, with their versions. */
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
