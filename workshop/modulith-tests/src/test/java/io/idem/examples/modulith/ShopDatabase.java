package io.idem.examples.modulith;

import io.idem.servers.RunningPostgres;
import io.idem.servers.SharedServers;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A schema with the tables of the service. */
final class ShopDatabase {

    private final RunningPostgres postgres = SharedServers.postgres();
    private final String url;
    private final JdbcTemplate jdbc;

    ShopDatabase() {
        String schema = "shop_" + UUID.randomUUID().toString().replace("-", "");
        url = postgres.jdbcUrl() + (postgres.jdbcUrl().contains("?") ? "&" : "?") + "currentSchema=" + schema;
        jdbc = new JdbcTemplate(new DriverManagerDataSource(url, postgres.user(), postgres.password()));
        jdbc.execute("CREATE SCHEMA " + schema);
        jdbc.execute("CREATE TABLE orders (id text PRIMARY KEY, item text NOT NULL)");
        jdbc.execute("CREATE TABLE shipments (order_id text NOT NULL, item text NOT NULL)");
    }

    List<String> settings() {
        return List.of(
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + postgres.user(),
                "--spring.datasource.password=" + postgres.password(),
                "--idem.jdbc.initialize-schema=always");
    }

    /** Returns the orders that were shipped, one for each row. */
    List<String> shipments() {
        return jdbc.queryForList("SELECT order_id FROM shipments ORDER BY order_id", String.class);
    }

    /** Returns how many publications of an event about that order there were. */
    int publications(Class<?> event, String order) {
        return count(
                "SELECT count(*) FROM event_publication WHERE event_type = ? AND serialized_event LIKE ?",
                event.getName(),
                "%\"" + order + "\"%");
    }

    /** Returns how many publications are not completed. */
    int incomplete() {
        return count("SELECT count(*) FROM event_publication WHERE completion_date IS NULL");
    }

    /** Returns how many publications of an event are completed. */
    int completed(Class<?> event) {
        return count(
                "SELECT count(*) FROM event_publication WHERE event_type = ? AND completion_date IS NOT NULL",
                event.getName());
    }

    /** Returns how many publications have failed. */
    int failed() {
        return count("SELECT count(*) FROM event_publication WHERE status = 'FAILED'");
    }

    /** Returns how many publications were submitted again, to listeners that have not begun. */
    int resubmitted() {
        return count("SELECT count(*) FROM event_publication WHERE status = 'RESUBMITTED'");
    }

    private int count(String sql, Object... arguments) {
        Integer rows = jdbc.queryForObject(sql, Integer.class, arguments);
        return rows == null ? 0 : rows;
    }
}
