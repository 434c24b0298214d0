package io.idem.servers.kafka;

import io.idem.servers.process.ParentWatch;
import io.idem.servers.process.ReadyFile;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;

/** Main class of the JVM of a Kafka broker and controller, which runs until SIGTERM or the end of its parent. */
public final class KafkaMain {

    private KafkaMain() {}

    /**
     * Formats the storage if it is new, and starts the server.
     *
     * @param arguments the path of {@code server.properties}
     */
    public static void main(String[] arguments) throws Exception {
        ParentWatch.haltWithParent();
        Properties properties = read(arguments[0]);
        if (!Files.exists(Path.of(properties.getProperty("log.dirs"), "meta.properties"))) {
            format(arguments[0]);
        }
        KafkaRaftServer server = new KafkaRaftServer(new KafkaConfig(properties, false), Time.SYSTEM);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "broker-shutdown"));
        server.startup();
        ReadyFile.announce();
        server.awaitShutdown();
    }

    private static void format(String properties) {
        String[] arguments = {
            "format", "--ignore-formatted", "-t", Uuid.randomUuid().toString(), "-c", properties
        };
        int exitCode = StorageTool.execute(arguments, System.out);
        if (exitCode != 0) {
            throw new IllegalStateException("Kafka cannot format its storage, exit code " + exitCode);
        }
    }

    private static Properties read(String path) throws Exception {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(path))) {
            properties.load(reader);
        }
        return properties;
    }
}
