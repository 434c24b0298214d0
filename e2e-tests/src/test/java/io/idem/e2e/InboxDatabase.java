package io.idem.e2e;

import io.idem.servers.RunningAmqp;
import io.idem.servers.RunningDatabase;
import io.idem.servers.RunningMariaDb;
import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * A database of a test's own with a ledger, for applications whose only store is the inbox in it.
 *
 * @param name unique; also for queues and topics
 */
record InboxDatabase(String name, String url, String user, String password) {

    private static final String LEDGER = ".ledger (entry varchar(100) NOT NULL)";

    static InboxDatabase in(RunningPostgres server) throws SQLException {
        String name = create(server, "SCHEMA");
        String separator = server.jdbcUrl().contains("?") ? "&" : "?";
        return new InboxDatabase(
                name, server.jdbcUrl() + separator + "currentSchema=" + name, server.user(), server.password());
    }

    static InboxDatabase in(RunningMariaDb server) throws SQLException {
        String name = create(server, "DATABASE");
        URI at = URI.create(server.jdbcUrl().substring("jdbc:".length()));
        return new InboxDatabase(
                name,
                "jdbc:mariadb://" + at.getHost() + ":" + at.getPort() + "/" + name,
                server.user(),
                server.password());
    }

    private static String create(RunningDatabase server, String kind) throws SQLException {
        String name = "inbox_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE " + kind + " " + name);
            statement.execute("CREATE TABLE " + name + LEDGER);
        }
        return name;
    }

    /**
     * Starts an application that creates its tables. Its broker is RabbitMQ; settings of another one may be added.
     *
     * @param settings written {@code name=value}
     */
    ConfigurableApplicationContext start(WebApplicationType web, List<Class<?>> sources, String... settings) {
        RunningAmqp broker = SharedServers.amqp();
        String[] all = Stream.concat(
                        Stream.of(
                                "spring.main.banner-mode=off",
                                "spring.application.name=shop",
                                "server.port=0",
                                "spring.rabbitmq.host=" + broker.host(),
                                "spring.rabbitmq.port=" + broker.port(),
                                "spring.rabbitmq.username=" + broker.username(),
                                "spring.rabbitmq.password=" + broker.password(),
                                "spring.rabbitmq.virtual-host=" + broker.virtualHost(),
                                "spring.datasource.url=" + url,
                                "spring.datasource.username=" + user,
                                "spring.datasource.password=" + password,
                                // One session at the start, and others when they are needed.
                                "spring.datasource.hikari.minimum-idle=1",
                                "idem.store=inbox",
                                "idem.jdbc.initialize-schema=always",
                                "test.name=" + name),
                        Stream.of(settings))
                .toArray(String[]::new);
        return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(web)
                .properties(all)
                .run();
    }

    /** Returns settings of the shared Kafka, which starts if it has not been started yet. */
    String[] kafka(String... more) {
        return Stream.concat(
                        Stream.of(
                                "spring.kafka.bootstrap-servers="
                                        + SharedServers.kafka().bootstrapServers(),
                                "spring.kafka.consumer.group-id=" + name,
                                "spring.kafka.consumer.auto-offset-reset=earliest"),
                        Stream.of(more))
                .toArray(String[]::new);
    }
}
