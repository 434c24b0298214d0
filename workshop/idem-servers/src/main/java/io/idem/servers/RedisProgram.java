package io.idem.servers;

import io.idem.servers.process.FreePorts;
import io.idem.servers.process.OwnProcess;
import io.idem.servers.process.Programs;
import io.idem.servers.process.RunDirectory;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A {@code redis-server} program for this machine. */
record RedisProgram(Path file, Origin origin, Map<String, String> environment) {

    /** Setting that names the {@code redis-server} or {@code valkey-server} for all own servers. */
    static final String SETTING = "IDEM_SERVERS_REDIS_PROGRAM";

    private static final String EMBEDDED_VERSION = "7.0.15";

    RedisProgram(Path file, Origin origin) {
        this(file, origin, Map.of());
    }

    /** Returns the program that the environment names, or else one on {@code PATH}, if it is recent enough. */
    static Optional<RedisProgram> installed(Environment environment) {
        return environment
                .value(SETTING)
                .map(Path::of)
                .or(() -> Programs.find("redis-server"))
                .filter(file -> RedisVersion.of(file).atLeast(7, 0))
                .map(file -> new RedisProgram(file, Origin.INSTALLED));
    }

    /** Returns the program from the jar, if there is one for this machine. */
    static Optional<RedisProgram> embedded() {
        Platform platform = Platform.ofThisMachine();
        String resource = "/redis-server-" + EMBEDDED_VERSION + "-" + platform.system() + "-" + platform.processor();
        return UnpackedProgram.of(resource).map(file -> new RedisProgram(file, Origin.EMBEDDED));
    }

    RunningRedis start(ServerOptions options) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("redis");
        int port = FreePorts.next();
        Path configuration = RedisConfiguration.write(directory, port, options);
        Optional<String> password = Optional.ofNullable(options.settings().get("requirepass"));
        return run(directory, List.of(configuration.toString()), port, uri(port, password));
    }

    RunningRedis startSentinel(String name, int master) {
        Path directory = RunDirectory.ofThisJvm().newDirectory("sentinel");
        int port = FreePorts.next();
        Path configuration = RedisConfiguration.writeSentinel(directory, port, name, master);
        return run(directory, List.of(configuration.toString(), "--sentinel"), port, uri(port, Optional.empty()));
    }

    private RunningRedis run(Path directory, List<String> arguments, int port, URI uri) {
        Lifecycle server = new ServerProcess(
                "Redis",
                () -> launch(directory, arguments),
                process -> RedisPing.answers(port),
                "TERM",
                () -> Directories.delete(directory));
        server.start();
        return new RunningRedis(uri, origin, server, Optional.of(log(directory)));
    }

    private OwnProcess launch(Path directory, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(arguments);
        return OwnProcess.start(command, environment, log(directory));
    }

    private static Path log(Path directory) {
        return directory.resolve("redis.log");
    }

    private static URI uri(int port, Optional<String> password) {
        String credentials =
                password.map(value -> ":" + percentEncoded(value) + "@").orElse("");
        return URI.create("redis://" + credentials + "127.0.0.1:" + port);
    }

    private static String percentEncoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
