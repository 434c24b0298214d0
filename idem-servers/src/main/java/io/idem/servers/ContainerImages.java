package io.idem.servers;

/** The one place in Java where images are pinned; docker-compose.yml names the same. */
final class ContainerImages {

    static final String REDIS = "redis:7.4.2-alpine";
    static final String RABBITMQ = "rabbitmq:4.1.4-management-alpine";
    static final String KAFKA = "apache/kafka:4.2.1";
    static final String POSTGRES = "postgres:17.5-alpine";

    private ContainerImages() {}
}
