package io.idem.zookeeper.autoconfigure;

import static io.idem.internal.Durations.longer;
import static io.idem.internal.Durations.shorter;

import io.idem.ConfigurationException;
import io.idem.internal.spring.InvalidSettingException;
import io.idem.retry.RetrySettings;
import io.idem.zookeeper.ZooKeeperSettings;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of ZooKeeper as the store; used with {@code idem.store=zookeeper} and {@code zookeeper-with-redis}.
 *
 * @param connect the servers of the ensemble, host:port separated by commas, possibly with a path behind them, which must exist; must be set
 * @param root node under which records are kept: applications and environments that share an ensemble and must not see each other's
 *     records have one each
 * @param sessionTimeout a server that is silent for two thirds of this time is left for another one; at most a third of the lease;
 *     default a third of the lease, but not over 4 s
 * @param retryBudget how long a call is repeated before the store counts as unavailable; at least the session timeout, at most a
 *     third of the lease; default the session timeout, but not under 3 s, nor over a third of the lease
 * @param credentials user:password of the scheme digest, to whom alone all nodes that idem creates then belong; default none: everybody may read and write
 */
@ConfigurationProperties("idem.zookeeper")
record ZooKeeperProperties(
        @Nullable String connect,
        @DefaultValue(ZooKeeperSettings.DEFAULT_ROOT) String root,
        @Nullable Duration sessionTimeout,
        @Nullable Duration retryBudget,
        @Nullable String credentials) {

    private static final String PREFIX = "idem.zookeeper.";
    private static final int PARTS_OF_LEASE = 3;
    private static final int CALLS_PER_LEASE = 6;

    /** Returns the settings that fit a lease, checked. */
    ZooKeeperSettings settings(Duration lease) {
        String servers = connect;
        if (servers == null || servers.isBlank()) {
            throw new ConfigurationException(
                    "Setting " + PREFIX + "connect is missing: nothing says where ZooKeeper is",
                    "Set " + PREFIX
                            + "connect to the servers of the ensemble, for example zk1:2181,zk2:2181,zk3:2181.");
        }
        Duration session = sessionTimeout(lease);
        return InvalidSettingException.named(
                PREFIX,
                () -> new ZooKeeperSettings(
                        servers,
                        root,
                        session,
                        shorter(lease.dividedBy(CALLS_PER_LEASE), ZooKeeperSettings.DEFAULT_CALL_TIMEOUT),
                        Optional.ofNullable(credentials)));
    }

    private Duration sessionTimeout(Duration lease) {
        if (sessionTimeout != null) {
            requireThird("session-timeout", sessionTimeout, lease);
            return sessionTimeout;
        }
        Duration shortest = ZooKeeperSettings.SHORTEST_SESSION.multipliedBy(PARTS_OF_LEASE);
        if (lease.compareTo(shortest) < 0) {
            throw new ConfigurationException(
                    "Setting idem.lease " + lease + " is too short for ZooKeeper: the session timeout is a third of it",
                    "Set idem.lease to " + shortest + " or more.");
        }
        return shorter(lease.dividedBy(PARTS_OF_LEASE), ZooKeeperSettings.DEFAULT_SESSION_TIMEOUT);
    }

    /** Returns a budget within which a server that is silent in a session of this timeout is left for another one. */
    Duration retryBudget(Duration lease, Duration session) {
        requireThird("session-timeout", session, lease);
        if (retryBudget == null) {
            return longer(shorter(lease.dividedBy(PARTS_OF_LEASE), RetrySettings.DEFAULT_BUDGET), session);
        }
        requireThird("retry-budget", retryBudget, lease);
        if (retryBudget.compareTo(session) < 0) {
            throw new ConfigurationException(
                    "Setting " + PREFIX + "retry-budget: " + retryBudget + " is shorter than the session timeout "
                            + session + ": a silent server could be left too late",
                    "Change " + PREFIX + "retry-budget or " + PREFIX
                            + "session-timeout, or remove it to use its default.");
        }
        return retryBudget;
    }

    private static void requireThird(String name, Duration value, Duration lease) {
        if (value.compareTo(lease.dividedBy(PARTS_OF_LEASE)) > 0) {
            throw new ConfigurationException(
                    "Setting " + PREFIX + name + ": " + value + " is more than a third of idem.lease " + lease
                            + ": the lease could end while ZooKeeper is still being asked",
                    "Change " + PREFIX + name + " or idem.lease, or remove it to use its default.");
        }
    }

    /** Returns the settings without the credentials. */
    @Override
    public String toString() {
        return "ZooKeeperProperties[connect=" + connect + ", root=" + root + ", sessionTimeout=" + sessionTimeout
                + ", retryBudget=" + retryBudget + "]";
    }
}
