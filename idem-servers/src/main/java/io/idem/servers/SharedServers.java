package io.idem.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One server of each kind for all tests of a JVM, started when first asked for.
 *
 * <p>They end with the JVM, after its shutdown hooks have run: clients that say goodbye there still find them. Users keep
 * out of each other's way by names of their own (key prefixes, queues, topics, schemas). Nobody may stop or kill them: for
 * that there is {@link ServerOptions#own()}. Thread-safe.
 */
public final class SharedServers {

    private static final Shared<RunningRedis> REDIS = new Shared<>(RedisServers::start);
    private static final Shared<RunningPostgres> POSTGRES = new Shared<>(PostgresServers::start);

    private SharedServers() {}

    /** The Redis of this JVM. Blocks while it starts. */
    public static RunningRedis redis() {
        return REDIS.get();
    }

    /** The PostgreSQL of this JVM. Blocks while it starts. */
    public static RunningPostgres postgres() {
        return POSTGRES.get();
    }

    /** One line for each server started so far: what, where, and which choice was taken. */
    public static List<String> report() {
        List<String> lines = new ArrayList<>();
        for (Shared<?> shared : List.of(REDIS, POSTGRES)) {
            shared.started().map(RunningServer::toString).ifPresent(lines::add);
        }
        return List.copyOf(lines);
    }

    private static final class Shared<S extends RunningServer> {

        private final Function<ServerOptions, S> starter;
        private Optional<S> server = Optional.empty();

        Shared(Function<ServerOptions, S> starter) {
            this.starter = starter;
        }

        synchronized S get() {
            S started = server.orElseGet(() -> starter.apply(ServerOptions.any()));
            server = Optional.of(started);
            return started;
        }

        synchronized Optional<S> started() {
            return server;
        }
    }
}
