package io.idem.benchmarks.database;

import io.idem.benchmarks.Servers;
import io.idem.servers.RunningKafka;
import java.sql.SQLException;
import java.util.Map;

/**
 * The servers of a comparison.
 *
 * @param servers Redis and the brokers
 * @param postgres the database server
 */
record Place(Servers servers, Postgres postgres) {

    /** Creates an empty database for a way. */
    WayDatabase database() throws SQLException {
        return postgres.database();
    }

    /** Returns Spring settings with the address of Redis and these further ones. */
    Map<String, Object> settings(Map<String, Object> more) {
        Map<String, Object> settings = servers.settings();
        settings.putAll(more);
        return settings;
    }

    /** Returns the addresses of the ZooKeeper servers. */
    String zooKeeper() {
        return servers.zooKeeper().connectString();
    }

    RunningKafka kafka() {
        return servers.kafka();
    }

    /** Returns the processes whose CPU time counts: those of Redis, PostgreSQL, and of Kafka and ZooKeeper if they run. */
    CpuTime cpu() {
        return new CpuTime(servers.runningWith(postgres.pid()));
    }
}
