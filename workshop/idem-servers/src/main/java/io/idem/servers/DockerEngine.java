package io.idem.servers;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Finds out within two seconds, and without any log output, whether a Docker engine answers.
 *
 * @param addresses addresses at which it may listen; the first existing one is used
 */
record DockerEngine(List<SocketAddress> addresses) {

    private static final int TIMEOUT_MILLIS = 2_000;
    private static final int REPLY_BYTES = 512;
    private static final String PING = "GET /_ping HTTP/1.0\r\nHost: docker\r\n\r\n";

    static DockerEngine ofThisMachine() {
        return of(Environment.ofThisProcess());
    }

    static DockerEngine of(Environment environment) {
        return new DockerEngine(environment
                .value("DOCKER_HOST")
                .map(DockerEngine::parse)
                .orElseGet(() -> {
                    Stream<Optional<Path>> usual = Stream.of(
                            Optional.of(Path.of("/var/run/docker.sock")),
                            environment.value("XDG_RUNTIME_DIR").map(run -> Path.of(run, "docker.sock")),
                            environment.value("HOME").map(home -> Path.of(home, ".docker", "run", "docker.sock")));
                    return usual.flatMap(Optional::stream)
                            .filter(Files::exists)
                            .map(DockerEngine::unix)
                            .toList();
                }));
    }

    private static List<SocketAddress> parse(String dockerHost) {
        URI uri = URI.create(dockerHost);
        if ("unix".equals(uri.getScheme())) {
            return List.of(unix(Path.of(uri.getPath())));
        }
        return uri.getHost() == null ? List.of() : List.of(new InetSocketAddress(uri.getHost(), uri.getPort()));
    }

    private static SocketAddress unix(Path path) {
        return UnixDomainSocketAddress.of(path);
    }

    boolean answers() {
        return addresses.stream().findFirst().filter(DockerEngine::answers).isPresent();
    }

    private static boolean answers(SocketAddress address) {
        try (SocketChannel channel = open(address);
                Selector selector = Selector.open()) {
            channel.write(ByteBuffer.wrap(PING.getBytes(StandardCharsets.US_ASCII)));
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            return selector.select(TIMEOUT_MILLIS) > 0 && hasReply(channel);
        } catch (IOException | IllegalArgumentException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static SocketChannel open(SocketAddress address) throws IOException {
        if (address instanceof UnixDomainSocketAddress) {
            return SocketChannel.open(address);
        }
        SocketChannel channel = SocketChannel.open();
        channel.socket().connect(address, TIMEOUT_MILLIS);
        return channel;
    }

    private static boolean hasReply(SocketChannel channel) throws IOException {
        // Any reply is enough: an engine that requires TLS answers the plain ping with an error.
        return channel.read(ByteBuffer.allocate(REPLY_BYTES)) > 0;
    }
}
