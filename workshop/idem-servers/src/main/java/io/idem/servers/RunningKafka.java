package io.idem.servers;

import java.nio.file.Path;
import java.util.Optional;

/** A Kafka cluster that accepts clients. */
public final class RunningKafka extends RunningServer {

    private final String bootstrapServers;
    private final Optional<Path> log;

    RunningKafka(String bootstrapServers, Origin origin, Lifecycle lifecycle) {
        this(bootstrapServers, origin, lifecycle, Optional.empty());
    }

    RunningKafka(String bootstrapServers, Origin origin, Lifecycle lifecycle, Optional<Path> log) {
        super(origin, lifecycle);
        this.bootstrapServers = bootstrapServers;
        this.log = log;
    }

    /** {@code host:port}, several of them separated by commas. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Where an own one writes what happens to it, appended to at each start; empty for any other, whose log is not ours to read. */
    public Optional<Path> log() {
        return log;
    }

    @Override
    public String description() {
        return "Kafka at " + bootstrapServers;
    }
}
