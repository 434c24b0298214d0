package io.idem.servers;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * Writes the {@code server.properties} of an own Kafka: one node, broker and controller at once. The controller writes no records while
 * nothing changes: by default it writes two a second, for replicas that a single node does not have.
 */
final class KafkaConfiguration {

    private static final String SINGLE = """
            process.roles=broker,controller
            node.id=1
            controller.listener.names=CONTROLLER
            listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
            inter.broker.listener.name=PLAINTEXT
            offsets.topic.replication.factor=1
            offsets.topic.num.partitions=4
            transaction.state.log.replication.factor=1
            transaction.state.log.min.isr=1
            transaction.state.log.num.partitions=4
            share.coordinator.state.topic.replication.factor=1
            share.coordinator.state.topic.min.isr=1
            share.coordinator.state.topic.num.partitions=4
            group.initial.rebalance.delay.ms=0
            log.cleaner.dedupe.buffer.size=4194304
            metadata.max.idle.interval.ms=0
            broker.heartbeat.interval.ms=500
            broker.session.timeout.ms=2000
            num.network.threads=2
            num.io.threads=3
            background.threads=2
            """;

    private KafkaConfiguration() {}

    static Path write(Path directory, int port, int controllerPort, ServerOptions options) {
        Properties settings = new Properties();
        Path file = directory.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.load(new StringReader(SINGLE));
            settings.setProperty("log.dirs", directory.resolve("data").toString());
            settings.setProperty(
                    "listeners", "PLAINTEXT://127.0.0.1:" + port + ",CONTROLLER://127.0.0.1:" + controllerPort);
            settings.setProperty("advertised.listeners", "PLAINTEXT://127.0.0.1:" + port);
            settings.setProperty("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
            settings.putAll(options.settings());
            settings.store(writer, null);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot configure Kafka in " + directory, e);
        }
    }
}
