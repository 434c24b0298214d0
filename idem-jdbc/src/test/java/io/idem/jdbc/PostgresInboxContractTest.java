package io.idem.jdbc;

import java.net.URI;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The contract of the inbox, for PostgreSQL. */
public class PostgresInboxContractTest extends InboxContract {

    @Override
    public InboxDatabase open() {
        return new Postgres(new TestDatabase());
    }

    private record Postgres(TestDatabase database) implements InboxDatabase {

        @Override
        public URI server() {
            return URI.create(database.dataSource().getUrl().substring("jdbc:".length()));
        }

        @Override
        public DataSource dataSource() {
            return database.dataSource();
        }

        @Override
        public DataSource dataSourceAt(String host, int port) {
            PGSimpleDataSource another = new PGSimpleDataSource();
            another.setUrl(database.dataSource().getUrl());
            another.setUser(database.dataSource().getUser());
            another.setPassword(database.dataSource().getPassword());
            another.setCurrentSchema(database.dataSource().getCurrentSchema());
            another.setApplicationName(database.dataSource().getApplicationName());
            another.setServerNames(new String[] {host});
            another.setPortNumbers(new int[] {port});
            return another;
        }

        @Override
        public DataSource impatientDataSource() {
            PGSimpleDataSource impatient = (PGSimpleDataSource) dataSourceAt(server().getHost(), server().getPort());
            impatient.setOptions("-c lock_timeout=1s");
            return impatient;
        }

        @Override
        public int waiting() {
            return database.waiting();
        }

        @Override
        public void age(int seconds) {
            database.jdbc().update("UPDATE idem_record SET at = at - ? * interval '1 second', expires_at = expires_at - ? * interval '1 second'", seconds, seconds);
        }

        @Override
        public void refuseUpdates() {
            database.jdbc().execute("""
                    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN RAISE EXCEPTION 'refused by a test'; END $$;
                    CREATE TRIGGER refuse BEFORE UPDATE ON idem_record FOR EACH ROW EXECUTE FUNCTION refuse()
                    """);
        }

        /** A sequence goes on counting where a transaction is rolled back. */
        @Override
        public void undoFailures(int times) {
            database.jdbc().execute("""
                    CREATE SEQUENCE written;
                    CREATE FUNCTION undo() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN
                        IF NEW.state = 3 AND nextval('written') <= %d THEN
                            RAISE EXCEPTION 'deadlock of a test' USING ERRCODE = '40P01';
                        END IF;
                        RETURN NEW;
                    END $$;
                    CREATE TRIGGER undo BEFORE INSERT ON idem_record FOR EACH ROW EXECUTE FUNCTION undo()
                    """.formatted(times));
        }

        @Override
        public void close() {
            database.close();
        }
    }
}
