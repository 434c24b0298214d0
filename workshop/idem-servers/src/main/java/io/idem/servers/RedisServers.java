package io.idem.servers;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Starts servers of Redis 7.0 or newer.
 *
 * <p>Order of choice: {@code IDEM_SERVERS_REDIS_URI} ({@code redis://[[user]:password@]host:port}), a container, the
 * {@code redis-server} or {@code valkey-server} that {@code IDEM_SERVERS_REDIS_PROGRAM} names, a {@code redis-server} &gt;= 7.0
 * on {@code PATH}, the embedded 7.0.15.
 */
public final class RedisServers {

    static final String URI_SETTING = "IDEM_SERVERS_REDIS_URI";

    private RedisServers() {}

    /**
     * Chooses a server, starts it unless it is a given one, and returns when it accepts clients.
     *
     * <p>An own server keeps nothing on disk unless {@link ServerOptions#keepingData()} asks for an append-only file,
     * which is then synced with every write. The settings are those of {@code redis.conf}; {@code requirepass} is also
     * used in the URI.
     */
    public static RunningRedis start(ServerOptions options) {
        Environment environment = Environment.ofThisProcess();
        Selection<RunningRedis> selection = new Selection<>("Redis", URI_SETTING, environment.allowedOrigins());
        if (!options.exclusive()) {
            selection.or(Origin.GIVEN, () -> given(environment)).or(Origin.CONTAINER, ContainerTier::redis);
        }
        return selection
                .or(Origin.INSTALLED, () -> RedisProgram.installed(environment).map(program -> program.start(options)))
                .or(Origin.EMBEDDED, () -> RedisProgram.embedded().map(program -> program.start(options)))
                .choose();
    }

    /**
     * Starts an own server of this program, regardless of the order of choice; returns when it accepts clients.
     *
     * @param environment environment variables of its process in addition to those of this JVM
     */
    public static RunningRedis start(Path program, Map<String, String> environment, ServerOptions options) {
        return new RedisProgram(program, Origin.INSTALLED, environment).start(options);
    }

    /** Starts an own group of a master, replicas and three Sentinels; returns when the Sentinels know all of them. */
    public static RunningSentinels startSentinels(int replicas) {
        return RunningSentinels.start(program(), replicas);
    }

    /** Starts an own cluster of three masters; returns when all slots are served. */
    public static RunningRedisCluster startCluster(int replicasPerMaster) {
        return RunningRedisCluster.start(program(), replicasPerMaster);
    }

    /** Returns whether own servers have the given version or a newer one. For Valkey its own version counts. */
    public static boolean ownAtLeast(int major, int minor) {
        return RedisVersion.of(program().file()).atLeast(major, minor);
    }

    private static RedisProgram program() {
        return RedisProgram.installed(Environment.ofThisProcess())
                .or(RedisProgram::embedded)
                .orElseThrow(() -> new IllegalStateException(
                        "No redis-server for this machine: let " + RedisProgram.SETTING + " name one"));
    }

    static Optional<RunningRedis> given(Environment environment) {
        return environment.value(URI_SETTING).map(RedisServers::parse).map(uri -> {
            return new RunningRedis(uri, Origin.GIVEN, ForeignLifecycle.leftAlone());
        });
    }

    private static URI parse(String value) {
        URI uri = URI.create(value);
        if (uri.getHost() == null || !("redis".equals(uri.getScheme()) || "rediss".equals(uri.getScheme()))) {
            // The value may hold a password, so it is not repeated.
            throw new IllegalArgumentException(URI_SETTING + " must look like redis://[[user]:password@]host:port");
        }
        return uri;
    }
}
