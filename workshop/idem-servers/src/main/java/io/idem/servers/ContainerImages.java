package io.idem.servers;

/** The one place in Java where images are pinned: those of docker-compose.yml, which a test compares. */
final class ContainerImages {

    static final String REDIS = "redis:8.2";
    static final String RABBITMQ = "rabbitmq:4.1";
    static final String KAFKA = "apache/kafka:4.1.1";
    static final String POSTGRES = "postgres:18";

    /** Not in docker-compose.yml: only tests of the inbox want it. */
    static final String MARIADB = "mariadb:11.4";

    private ContainerImages() {}
}
