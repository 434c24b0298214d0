package io.idem.jdbc.autoconfigure;

import static io.idem.internal.Durations.longer;
import static io.idem.internal.Durations.shorter;

import io.idem.ConfigurationException;
import io.idem.jdbc.autoconfigure.InboxProperties.InitializeSchema;
import io.idem.jdbc.store.PostgresIdempotencyStore;
import io.idem.retry.RetrySettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of PostgreSQL as the store; used with {@code idem.store=postgresql} and {@code postgresql-with-redis}.
 *
 * @param initializeSchema whether the tables are created at start-up
 * @param statementTimeout how long one statement may take, in whole seconds; at most a sixth of the lease; default a
 *     sixth, but not over 2 s, nor under 1 s
 * @param retryBudget how long a call is repeated before the store counts as unavailable; at most a third of the lease; default
 *     a third, but not over 3 s
 * @param copyLife longest life of a copy in Redis, with postgresql-with-redis
 */
@ConfigurationProperties("idem.postgresql")
record StoreProperties(
        @DefaultValue("never") InitializeSchema initializeSchema,
        @Nullable Duration statementTimeout,
        @Nullable Duration retryBudget,
        @DefaultValue("5m") Duration copyLife) {

    private static final Duration SHORTEST_TIMEOUT = Duration.ofSeconds(1);
    private static final int TIMEOUTS_PER_LEASE = 6;
    private static final int BUDGETS_PER_LEASE = 3;

    StoreProperties {
        require(copyLife.toSeconds() > 0, "copy-life", copyLife + " is shorter than a second");
    }

    Duration statementTimeout(Duration lease) {
        Duration longest = lease.dividedBy(TIMEOUTS_PER_LEASE);
        if (statementTimeout == null) {
            Duration derived = shorter(longest, PostgresIdempotencyStore.DEFAULT_STATEMENT_TIMEOUT);
            return longer(derived, SHORTEST_TIMEOUT);
        }
        require(statementTimeout.toMillis() > 0, "statement-timeout", statementTimeout + " is not positive");
        requireFraction("statement-timeout", statementTimeout, lease, TIMEOUTS_PER_LEASE);
        return statementTimeout;
    }

    Duration retryBudget(Duration lease) {
        if (retryBudget == null) {
            return shorter(lease.dividedBy(BUDGETS_PER_LEASE), RetrySettings.DEFAULT_BUDGET);
        }
        requireFraction("retry-budget", retryBudget, lease, BUDGETS_PER_LEASE);
        return retryBudget;
    }

    private static void requireFraction(String name, Duration value, Duration lease, int perLease) {
        require(
                value.multipliedBy(perLease).compareTo(lease) <= 0,
                name,
                value + " is more than 1/" + perLease + " of idem.lease " + lease
                        + ": the lease could end while PostgreSQL is still being asked");
    }

    private static void require(boolean holds, String name, String complaint) {
        if (!holds) {
            throw new ConfigurationException(
                    "Setting idem.postgresql." + name + ": " + complaint,
                    "Change idem.postgresql." + name
                            + " or the setting it is compared with, or remove it to use its default.");
        }
    }
}
