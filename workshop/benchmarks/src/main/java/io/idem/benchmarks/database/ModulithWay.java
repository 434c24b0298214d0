package io.idem.benchmarks.database;

import com.zaxxer.hikari.HikariDataSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.modulith.events.ApplicationModuleListener;
import org.springframework.transaction.annotation.Transactional;

/**
 * Spring Modulith's registry of publications as its documentation shows it: a transaction writes its row and publishes
 * an event, and a listener module handles that in a transaction of its own, with a row too. It does not recognise a
 * message that comes twice.
 */
final class ModulithWay extends CallerWay {

    private static final Map<String, Object> SETTINGS = Map.of(
            "spring.modulith.events.jdbc.schema-initialization.enabled",
            "true",
            "spring.main.banner-mode",
            "off",
            "logging.level.root",
            "ERROR");
    private static final int PATIENCE_SECONDS = 60;

    private final ConfigurableApplicationContext application;
    private final HikariDataSource pool;
    private final Publisher publisher;
    private final Handled handled;

    ModulithWay(WayDatabase database) {
        application = Applications.startPeer(Beans.class, database, SETTINGS);
        pool = application.getBean(HikariDataSource.class);
        publisher = application.getBean(Publisher.class);
        handled = application.getBean(Handled.class);
        BusinessRow.createTable(new JdbcTemplate(pool));
    }

    @Override
    void message(UUID key) throws Exception {
        CompletableFuture<UUID> listened = handled.expect(key);
        publisher.publish(key);
        listened.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    boolean recognisesDuplicates() {
        return false;
    }

    @Override
    public List<HikariDataSource> pools() {
        return List.of(pool);
    }

    @Override
    public void close() {
        super.close();
        application.close();
    }

    record Placed(UUID key) {}

    /** The events whose listener has not run yet. */
    static class Handled {

        private final Map<UUID, CompletableFuture<UUID>> expected = new ConcurrentHashMap<>();

        CompletableFuture<UUID> expect(UUID key) {
            return expected.computeIfAbsent(key, none -> new CompletableFuture<>());
        }

        void done(UUID key) {
            Optional.ofNullable(expected.remove(key)).ifPresent(future -> future.complete(key));
        }
    }

    static class Publisher {

        private final JdbcTemplate jdbc;
        private final ApplicationEventPublisher events;

        Publisher(JdbcTemplate jdbc, ApplicationEventPublisher events) {
            this.jdbc = jdbc;
            this.events = events;
        }

        @Transactional
        public void publish(UUID key) {
            BusinessRow.insert(jdbc, key);
            events.publishEvent(new Placed(key));
        }
    }

    static class Listener {

        private final JdbcTemplate jdbc;
        private final Handled handled;

        Listener(JdbcTemplate jdbc, Handled handled) {
            this.jdbc = jdbc;
            this.handled = handled;
        }

        @ApplicationModuleListener
        public void on(Placed event) {
            BusinessRow.insert(jdbc, event.key());
            handled.done(event.key());
        }
    }

    @Import({Handled.class, Publisher.class, Listener.class})
    static class Beans {}
}
