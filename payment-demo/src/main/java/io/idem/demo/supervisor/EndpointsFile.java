package io.idem.demo.supervisor;

import com.rabbitmq.client.ConnectionFactory;
import io.idem.demo.messaging.PaymentQueues;
import io.idem.demo.messaging.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails.Standalone;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The file with the addresses and passwords of a running demo, for other programs. Only its owner may read it. */
final class EndpointsFile implements AutoCloseable {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private final Path file;

    EndpointsFile(Path file) {
        this.file = file;
    }

    /** Removes the file, which an earlier demo that was killed may have left. */
    void clear() {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException("The file of addresses " + file + " cannot be removed", e);
        }
    }

    void write(String http, Map<String, String> apiKeys, Addresses addresses) {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("pid", ProcessHandle.current().pid());
        content.put("http", Map.of("url", http, "apiKeys", apiKeys));
        if (addresses.redis() != null) {
            content.put("redis", redis(addresses.redis()));
        }
        content.put("amqp", amqp(addresses.rabbit()));
        content.put("kafka", kafka(addresses));
        content.put("jdbc", jdbc(addresses.jdbc()));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, JSON.writeValueAsString(content) + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException("The file of addresses " + file + " cannot be written", e);
        }
    }

    private static Map<String, Object> redis(DataRedisConnectionDetails details) {
        Standalone node = Addresses.node(details);
        Map<String, Object> redis = new LinkedHashMap<>();
        redis.put("host", node.getHost());
        redis.put("port", node.getPort());
        redis.put("database", node.getDatabase());
        redis.put("username", details.getUsername());
        redis.put("password", details.getPassword());
        return redis;
    }

    private static Map<String, Object> amqp(ConnectionFactory rabbit) {
        Map<String, Object> amqp = new LinkedHashMap<>();
        amqp.put("host", rabbit.getHost());
        amqp.put("port", rabbit.getPort());
        amqp.put("username", rabbit.getUsername());
        amqp.put("password", rabbit.getPassword());
        amqp.put("virtualHost", rabbit.getVirtualHost());
        amqp.put("exchange", PaymentQueues.EXCHANGE);
        amqp.put("routingKey", PaymentQueues.REQUESTED);
        amqp.put("queue", PaymentQueues.PAYMENTS);
        amqp.put("deadLetterQueue", PaymentQueues.DEAD_LETTERS);
        return amqp;
    }

    private static Map<String, Object> kafka(Addresses addresses) {
        return Map.of(
                "bootstrapServers",
                addresses.kafka().getBootstrapServers(),
                "topics",
                List.of(Topics.PAYMENT_SETTLED, Topics.PAYOUTS));
    }

    private static Map<String, Object> jdbc(JdbcConnectionDetails details) {
        Map<String, Object> jdbc = new LinkedHashMap<>();
        jdbc.put("url", details.getJdbcUrl());
        jdbc.put("username", details.getUsername());
        jdbc.put("password", details.getPassword());
        jdbc.put("ledgerTable", "ledger");
        jdbc.put("tables", List.of("ledger", "receipts", "risk_checks"));
        return jdbc;
    }

    @Override
    public void close() {
        clear();
    }
}
