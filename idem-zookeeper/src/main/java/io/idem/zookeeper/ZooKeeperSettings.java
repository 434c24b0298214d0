package io.idem.zookeeper;

import static io.idem.internal.value.Arguments.require;

import java.time.Duration;
import java.util.Optional;
import org.apache.zookeeper.client.ConnectStringParser;
import org.apache.zookeeper.common.PathUtils;

/**
 * How ZooKeeper is spoken to. Immutable.
 *
 * @param connect the servers as {@code host:port}, separated by commas, and possibly a path under which all of this
 *     application's nodes lie, which must exist: {@code zk1:2181,zk2:2181,zk3:2181/shop}
 * @param root the path of the node under which idem keeps its records; created if it is missing
 * @param sessionTimeout how long a server may be silent before the client asks another one: two thirds of this time.
 *     Servers raise it to two of their ticks, which are 2 s each by default. From 100 ms to a minute
 * @param callTimeout how long one call to the store may take, at least 1 ms
 * @param credentials user and password of the scheme {@code digest}, as {@code user:password}. With them every node is
 *     created for this user alone; without them for everybody
 */
public record ZooKeeperSettings(
        String connect, String root, Duration sessionTimeout, Duration callTimeout, Optional<String> credentials) {

    /** The root of records where the setting names none. */
    public static final String DEFAULT_ROOT = "/idem";

    /** The default session timeout, four seconds: the shortest one that servers with the usual tick of two grant. */
    public static final Duration DEFAULT_SESSION_TIMEOUT = Duration.ofSeconds(4);

    /** The default call timeout, two seconds: long for a quorum nearby, short beside a lease. */
    public static final Duration DEFAULT_CALL_TIMEOUT = Duration.ofSeconds(2);

    /** The shortest session timeout. */
    public static final Duration SHORTEST_SESSION = Duration.ofMillis(100);

    private static final Duration LONGEST_SESSION = Duration.ofMinutes(1);

    /**
     * Checks the settings.
     *
     * @throws IllegalArgumentException if one is wrong; the message begins with its name
     */
    public ZooKeeperSettings {
        require(!connect.isBlank(), "connect is empty; give the servers as \"host:port,host:port\"");
        requireServers(connect);
        requirePath(root);
        require(
                sessionTimeout.compareTo(SHORTEST_SESSION) >= 0 && sessionTimeout.compareTo(LONGEST_SESSION) <= 0,
                "sessionTimeout " + sessionTimeout + " is not between " + SHORTEST_SESSION + " and " + LONGEST_SESSION);
        require(callTimeout.toMillis() >= 1, "callTimeout " + callTimeout + " is shorter than a millisecond");
        require(
                credentials.isEmpty() || credentials.get().indexOf(':') >= 1,
                "credentials are not of the form \"user:password\"");
    }

    /** Returns the default settings for the servers. */
    public static ZooKeeperSettings of(String connect) {
        return new ZooKeeperSettings(
                connect, DEFAULT_ROOT, DEFAULT_SESSION_TIMEOUT, DEFAULT_CALL_TIMEOUT, Optional.empty());
    }

    private static void requireServers(String connect) {
        try {
            require(!new ConnectStringParser(connect).getServerAddresses().isEmpty(), "it names no server");
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException(
                    "connect \"" + connect + "\" is not of the form \"host:port,host:port/path\": "
                            + invalid.getMessage(),
                    invalid);
        }
    }

    private static void requirePath(String root) {
        try {
            PathUtils.validatePath(root);
        } catch (IllegalArgumentException invalid) {
            throw new IllegalArgumentException("root \"" + root + "\" is not a path: " + invalid.getMessage(), invalid);
        }
        require(!root.equals("/"), "root is \"/\"; name a node that only idem uses, for example \"/idem\"");
    }

    /** Returns the settings without the credentials. */
    @Override
    public String toString() {
        return "ZooKeeperSettings[connect=" + connect + ", root=" + root + ", sessionTimeout=" + sessionTimeout
                + ", callTimeout=" + callTimeout + "]";
    }
}
