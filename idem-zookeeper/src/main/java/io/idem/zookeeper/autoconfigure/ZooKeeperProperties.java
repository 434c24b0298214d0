package io.idem.zookeeper.autoconfigure;

import io.idem.retry.RetrySettings;
import io.idem.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of ZooKeeper as the store; used with {@code idem.store=zookeeper} and {@code zookeeper-with-redis}.
 *
 * @param connect the servers of the ensemble, host:port separated by commas, possibly with a path behind them, which must exist; must be set
 * @param root node under which records are kept: applications and environments that share an ensemble and must not see each other's
 *     records have one each
 * @param sessionTimeout a server that is silent for two thirds of this time is left for another one; at most a third of the lease;
 *     default a third, but not over 10 s
 * @param credentials user:password of the scheme digest, to whom alone all nodes then belong; default none: everybody may read and write
 */
@ConfigurationProperties("idem.zookeeper")
record ZooKeeperProperties(
        @Nullable String connect,
        @DefaultValue(ZooKeeperSettings.DEFAULT_ROOT) String root,
        @Nullable Duration sessionTimeout,
        @Nullable String credentials) {

    private static final String PREFIX = "idem.zookeeper.";
    private static final int SESSIONS_PER_LEASE = 3;
    private static final int CALLS_PER_LEASE = 6;
    private static final int BUDGETS_PER_LEASE = 3;

    /** Returns the settings that fit a lease, checked. */
    ZooKeeperSettings settings(Duration lease) {
        if (connect == null || connect.isBlank()) {
            throw new RefusedSettingException(
                    "Setting " + PREFIX + "connect is missing: nothing says where ZooKeeper is",
                    "Set " + PREFIX
                            + "connect to the servers of the ensemble, for example zk1:2181,zk2:2181,zk3:2181.");
        }
        try {
            return new ZooKeeperSettings(
                    connect,
                    root,
                    sessionTimeout(lease),
                    shorter(lease.dividedBy(CALLS_PER_LEASE), ZooKeeperSettings.DEFAULT_CALL_TIMEOUT),
                    Optional.ofNullable(credentials));
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            String name = PREFIX + DataObjectPropertyName.toDashedForm(message.substring(0, message.indexOf(' ')));
            throw new RefusedSettingException("Setting " + name + ": " + message, "Change " + name + ".");
        }
    }

    private Duration sessionTimeout(Duration lease) {
        Duration longest = lease.dividedBy(SESSIONS_PER_LEASE);
        if (sessionTimeout == null) {
            return shorter(longest, ZooKeeperSettings.DEFAULT_SESSION_TIMEOUT);
        }
        if (sessionTimeout.compareTo(longest) > 0) {
            throw new RefusedSettingException(
                    "Setting " + PREFIX + "session-timeout: " + sessionTimeout + " is more than a third of idem.lease "
                            + lease + ": the lease could end while a server that is silent is still being asked",
                    "Change " + PREFIX + "session-timeout or idem.lease, or remove it to use its default.");
        }
        return sessionTimeout;
    }

    Duration retryBudget(Duration lease) {
        return shorter(lease.dividedBy(BUDGETS_PER_LEASE), RetrySettings.DEFAULT_BUDGET);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /** Returns the settings without the credentials. */
    @Override
    public String toString() {
        return "ZooKeeperProperties[connect=" + connect + ", root=" + root + ", sessionTimeout=" + sessionTimeout + "]";
    }
}
