package io.idem.servers;

/** The pinned container images, the same as in docker-compose.yml, which a test compares. */
final class ContainerImages {

    static final String REDIS = "redis:8.10";
    static final String RABBITMQ = "rabbitmq:4.3";
    static final String KAFKA = "apache/kafka:4.2.2";
    static final String POSTGRES = "postgres:18";

    /** Images used only by tests of the inbox, and therefore not in docker-compose.yml. */
    static final String MARIADB = "mariadb:11.4";

    static final String MYSQL = "mysql:8.0";

    private ContainerImages() {}
}
