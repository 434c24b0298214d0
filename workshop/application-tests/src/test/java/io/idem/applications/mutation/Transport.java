package io.idem.applications.mutation;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The way by which an application gets its orders, with the libraries that the application has. */
enum Transport {
    RABBITMQ("RabbitMQ", Family.KAFKA, Family.CLOUD, Family.WEB),
    KAFKA("Kafka", Family.RABBIT, Family.CLOUD, Family.WEB),
    STREAM_RABBITMQ("Spring Cloud Stream on RabbitMQ", Family.KAFKA, Family.STREAM_KAFKA, Family.WEB),
    STREAM_KAFKA("Spring Cloud Stream on Kafka", Family.RABBIT, Family.STREAM_RABBIT, Family.WEB),
    HTTP("HTTP, with RabbitMQ", Family.KAFKA, Family.CLOUD);

    private static final Pattern TESTS = Pattern.compile(
            "(junit|assertj|awaitility|byte-buddy|opentest4j|apiguardian|hamcrest|asm)-.*|idem-servers.*"
                    + "|embedded-.*|qpid-.*|bc(prov|pkix|util)-.*|kafka_.*|kafka-(?!clients).*|scala-.*"
                    + "|jackson-data(bind|format-.*|type-jdk8)-2.*|spring-security-.*"
                    + "|spring-boot-(actuator.*|health|micrometer-metrics|webflux|reactor-netty|http-codec|data-.*)-.*"
                    + "|spring-data-.*|spring-webflux-.*|reactor-netty-.*");

    private final String title;
    private final Pattern without;

    Transport(String title, Family... without) {
        this.title = title;
        this.without = Pattern.compile(
                Stream.of(without).map(family -> family.libraries).collect(Collectors.joining("|")));
    }

    String title() {
        return title;
    }

    /** Returns the part of a class path that an application has. */
    Set<Path> entries(List<Path> all) {
        return all.stream()
                .filter(entry -> !TESTS.matcher(library(entry)).matches())
                .filter(entry -> !without.matcher(library(entry)).matches())
                .collect(Collectors.toSet());
    }

    /** Returns the name of a jar, or of the module whose classes are in a folder. */
    private static String library(Path entry) {
        String name = entry.getFileName().toString();
        return name.endsWith(".jar")
                ? name
                : entry.resolve(Path.of("..", "..")).normalize().getFileName() + "-";
    }

    /** Libraries that belong together. */
    private enum Family {
        RABBIT("(spring-rabbit|spring-amqp|amqp-client|spring-boot-(starter-)?(amqp|rabbitmq)|idem-rabbitmq).*"),
        KAFKA("(spring-kafka|kafka-clients|spring-boot-(starter-)?kafka|idem-kafka).*"),
        STREAM_RABBIT("spring-(cloud-stream-binder-rabbit|integration-amqp).*"),
        STREAM_KAFKA("spring-(cloud-stream-binder-kafka|integration-kafka).*"),
        CLOUD("(spring-cloud|spring-integration|spring-boot-integration|idem-cloud-stream).*"),
        WEB(
                "(spring-web|spring-boot-(starter-)?(webmvc|tomcat|servlet|web-server)|tomcat-embed-(core|websocket)|idem-http).*");

        private final String libraries;

        Family(String libraries) {
            this.libraries = libraries;
        }
    }

    /** Returns those whose applications a mutation concerns. */
    static Set<Transport> of(Mutation mutation) {
        if (mutation.owners().isEmpty()) {
            return EnumSet.allOf(Transport.class);
        }
        String owner = mutation.owners().first();
        boolean rabbit = owner.matches(".*/(amqp|rabbit|rabbitmq)/.*|com/rabbitmq/.*");
        boolean kafka = owner.matches(".*/kafka/.*");
        if (owner.matches("org/springframework/(cloud|integration)/.*")) {
            if (rabbit != kafka) {
                return EnumSet.of(rabbit ? STREAM_RABBITMQ : STREAM_KAFKA);
            }
            return EnumSet.of(STREAM_RABBITMQ, STREAM_KAFKA);
        }
        if (rabbit || kafka) {
            return EnumSet.of(rabbit ? RABBITMQ : KAFKA);
        }
        if (owner.matches("org/springframework/(web|boot/web|boot/webmvc|boot/servlet)/.*")) {
            return EnumSet.of(HTTP);
        }
        return byHooks(mutation);
    }

    /** A name that all frameworks share concerns the transports whose part of idem uses it; one that all of idem uses, one transport. */
    private static Set<Transport> byHooks(Mutation mutation) {
        Set<Transport> all = EnumSet.noneOf(Transport.class);
        for (String hook : mutation.hooks()) {
            if (hook.contains("/rabbit/")) {
                all.add(RABBITMQ);
            } else if (hook.contains("/kafka/")) {
                all.add(KAFKA);
            } else if (hook.contains("/http/")) {
                all.add(HTTP);
            } else if (hook.contains("/cloudstream/")) {
                all.addAll(EnumSet.of(STREAM_RABBITMQ, STREAM_KAFKA));
            } else if (hook.contains("/consumer/")) {
                all.addAll(EnumSet.of(RABBITMQ, KAFKA));
            }
        }
        return all.isEmpty() ? EnumSet.of(RABBITMQ) : all;
    }
}
