package io.idem.autoconfigure;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/** The values of the setting {@value #PROPERTY}, which chooses the store. */
final class StoreChoice {

    /** The name of the setting. */
    static final String PROPERTY = "idem.store";

    /** The default, Redis. */
    static final String REDIS = "redis";

    /** PostgreSQL without Redis. */
    static final String POSTGRESQL = "postgresql";

    /** PostgreSQL as the store of record, with copies of settled records in Redis. */
    static final String POSTGRESQL_WITH_REDIS = "postgresql-with-redis";

    /** ZooKeeper without Redis. */
    static final String ZOOKEEPER = "zookeeper";

    /** ZooKeeper as the store of record, with copies of settled records in Redis. */
    static final String ZOOKEEPER_WITH_REDIS = "zookeeper-with-redis";

    /** The rows of the inbox, without any other store. */
    static final String INBOX = "inbox";

    static final List<String> ALL =
            List.of(REDIS, POSTGRESQL, POSTGRESQL_WITH_REDIS, INBOX, ZOOKEEPER, ZOOKEEPER_WITH_REDIS);

    /** The name of the bean that the setting chooses; an application's own store has another name. */
    static final String BEAN = "idemStore";

    private StoreChoice() {}

    /** Returns whether the rows of the inbox are the store, and idem is not switched off. */
    static boolean isInbox(Environment environment) {
        return INBOX.equalsIgnoreCase(environment.getProperty(PROPERTY))
                && environment.getProperty("idem.enabled", Boolean.class, true);
    }

    /** Returns the place of the records for the start-up report, with Redis's host and port if known. */
    static String words(String choice, @Nullable RedisAddress redis) {
        String at = redis == null ? "" : " at " + redis.topology();
        return switch (choice.toLowerCase(Locale.ROOT)) {
            case REDIS -> "Redis" + at;
            case POSTGRESQL -> "PostgreSQL";
            case INBOX -> "the inbox of the application's database";
            case POSTGRESQL_WITH_REDIS -> "PostgreSQL, with copies of settled records in Redis" + at;
            case ZOOKEEPER -> "ZooKeeper";
            case ZOOKEEPER_WITH_REDIS -> "ZooKeeper, with copies of settled records in Redis" + at;
            default -> choice;
        };
    }
}
