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

    /** Returns the addresses as {@code host:port}, separated by commas. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Returns the log of an own server, which is appended to at each start; empty for other servers. */
    public Optional<Path> log() {
        return log;
    }

    @Override
    public String description() {
        return "Kafka at " + bootstrapServers;
    }
}
