package io.idem.autoconfigure;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Values of the setting that says where records are kept. */
final class StoreChoice {

    /** The setting. */
    static final String PROPERTY = "idem.store";

    /** Redis: the default. */
    static final String REDIS = "redis";

    /** PostgreSQL alone. */
    static final String POSTGRESQL = "postgresql";

    /** PostgreSQL as the truth, with copies of settled records in Redis. */
    static final String POSTGRESQL_WITH_REDIS = "postgresql-with-redis";

    /** All. */
    static final List<String> ALL = List.of(REDIS, POSTGRESQL, POSTGRESQL_WITH_REDIS);

    /** Name of the bean that the setting chooses; an application's own store has another. */
    static final String BEAN = "idemStore";

    private StoreChoice() {}

    /** The place of the records in words, with Redis's host and port if known, for the start-up report. */
    static String words(String choice, @Nullable RedisAddress redis) {
        String at = redis == null ? "" : " at " + redis.topology();
        return switch (choice.toLowerCase(Locale.ROOT)) {
            case REDIS -> "Redis" + at;
            case POSTGRESQL -> "PostgreSQL";
            case POSTGRESQL_WITH_REDIS -> "PostgreSQL, with copies of settled records in Redis" + at;
            default -> choice;
        };
    }
}
