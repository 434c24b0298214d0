package io.idem.test.redis;

import io.idem.servers.RunningRedis;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The user that {@code docs/redis.md} tells operators to make, taken from that page. */
final class DocumentedAcl {

    private static final String COMMAND = "ACL SETUSER idem ";
    private static final String PASSWORD = "a-password";

    private DocumentedAcl() {}

    /** The rules of the documented user. */
    static List<String> rules() {
        return lines().get(0);
    }

    /** The rules that it needs beside on a cluster. */
    static List<String> clusterRules() {
        return lines().get(1);
    }

    private static List<List<String>> lines() {
        try {
            String page = Files.readString(Path.of("..", "docs", "redis.md"), StandardCharsets.UTF_8);
            return page.lines()
                    .filter(line -> line.startsWith(COMMAND))
                    .map(line -> Arrays.stream(line.substring(COMMAND.length()).split(" "))
                            .map(rule -> rule.startsWith(">") ? ">" + PASSWORD : rule)
                            .toList())
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Makes the user, with these rules only. */
    static RedisURI user(RunningRedis server, List<String> rules) {
        try (RedisClient client = RedisClient.create(server.uri())) {
            CommandArgs<String, String> arguments = new CommandArgs<>(StringCodec.UTF8)
                    .add("SETUSER")
                    .add("idem")
                    .add("reset");
            rules.forEach(arguments::add);
            client.connect().sync().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), arguments);
        }
        return RedisURI.builder()
                .withHost(server.host())
                .withPort(server.port())
                .withAuthentication("idem", PASSWORD.toCharArray())
                .build();
    }
}
