package io.idem.autoconfigure;

import java.util.List;

/** Values of the setting that says where records are kept. */
final class StoreChoice {

    /** The setting. */
    static final String PROPERTY = "idem.store";

    /** Redis: the default. */
    static final String REDIS = "redis";

    /** PostgreSQL alone. */
    static final String POSTGRESQL = "postgresql";

    /** PostgreSQL as the truth, with Redis in front of it. */
    static final String POSTGRESQL_WITH_REDIS = "postgresql-with-redis";

    /** All. */
    static final List<String> ALL = List.of(REDIS, POSTGRESQL, POSTGRESQL_WITH_REDIS);

    private StoreChoice() {}
}
