package io.idem.jdbc;

import io.idem.servers.RunningMariaDb;
import io.idem.servers.SharedServers;
import io.idem.servers.junit.RequiresMariaDb;
import java.net.URI;
import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The contract of the inbox, for MariaDB. */
@Tag("extended")
@RequiresMariaDb
public class MariaDbInboxContractTest extends InboxContract {

    @Override
    public InboxDatabase open() {
        return new MariaDb("");
    }

    /** A driver that was told to count changed rows only. */
    @Nested
    class WithAnotherWayToCount extends InboxContract {

        @Override
        InboxDatabase open() {
            return new MariaDb("?useAffectedRows=true");
        }
    }

    static InboxDatabase with(String options) {
        return new MariaDb(options);
    }

    private static final class MariaDb implements InboxDatabase {

        private final RunningMariaDb mariaDb = SharedServers.mariaDb().orElseThrow();
        private final String name = "inbox_" + UUID.randomUUID().toString().replace("-", "");
        private final String options;
        private final DataSource dataSource;

        MariaDb(String options) {
            this.options = options;
            new JdbcTemplate(at(server().getHost(), server().getPort(), "")).execute("CREATE DATABASE " + name);
            this.dataSource = dataSourceAt(server().getHost(), server().getPort());
            jdbc().execute("CREATE TABLE ledger (entry varchar(100) NOT NULL)");
        }

        @Override
        public URI server() {
            return URI.create(mariaDb.jdbcUrl().substring("jdbc:".length()));
        }

        private DataSource at(String host, int port, String database) {
            return atUrl(host + ":" + port + "/" + database + options);
        }

        private DataSource atUrl(String path) {
            return new DriverManagerDataSource("jdbc:mariadb://" + path, mariaDb.user(), mariaDb.password());
        }

        @Override
        public DataSource dataSource() {
            return dataSource;
        }

        @Override
        public DataSource dataSourceAt(String host, int port) {
            return at(host, port, name);
        }

        @Override
        public DataSource impatientDataSource() {
            return atUrl(server().getHost() + ":" + server().getPort() + "/" + name
                    + "?sessionVariables=innodb_lock_wait_timeout=1");
        }

        @Override
        public int waiting() {
            return Objects.requireNonNull(jdbc().queryForObject(
                            "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
                            Integer.class));
        }

        @Override
        public void age(int seconds) {
            jdbc().update(
                            "UPDATE idem_record SET at = at - INTERVAL ? SECOND, expires_at = expires_at - INTERVAL ? SECOND",
                            seconds,
                            seconds);
        }

        @Override
        public void refuseUpdates() {
            jdbc().execute("CREATE TRIGGER refuse BEFORE UPDATE ON idem_record FOR EACH ROW"
                    + " SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'refused by a test'");
        }

        /** A table of MyISAM keeps its count where a transaction is rolled back. */
        @Override
        public void undoFailures(int times) {
            jdbc().execute("CREATE TABLE written (number integer NOT NULL) ENGINE = MyISAM");
            jdbc().update("INSERT INTO written VALUES (0)");
            jdbc().execute("CREATE TRIGGER deadlock BEFORE INSERT ON idem_record FOR EACH ROW BEGIN"
                    + " IF NEW.state = 3 THEN UPDATE written SET number = number + 1; END IF;"
                    + " IF NEW.state = 3 AND (SELECT number FROM written) <= " + times + " THEN SIGNAL SQLSTATE '40001'"
                    + " SET MYSQL_ERRNO = 1213, MESSAGE_TEXT = 'deadlock of a test'; END IF; END");
        }

        @Override
        public void close() {
            jdbc().execute("DROP DATABASE " + name);
        }
    }
}
