package io.idem.servers;

/** A Kafka cluster that accepts clients. */
public final class RunningKafka extends RunningServer {

    private final String bootstrapServers;

    RunningKafka(String bootstrapServers, Origin origin, Lifecycle lifecycle) {
        super(origin, lifecycle);
        this.bootstrapServers = bootstrapServers;
    }

    /** {@code host:port}, several of them separated by commas. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    @Override
    public String description() {
        return "Kafka at " + bootstrapServers;
    }
}
