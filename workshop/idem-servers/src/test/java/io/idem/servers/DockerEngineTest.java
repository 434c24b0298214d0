package io.idem.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DockerEngineTest {

    private Path directory;
    private Path socket;

    @BeforeEach
    void shortPath() throws IOException {
        // Not a @TempDir: the path of a socket is limited to about a hundred characters.
        directory = Files.createTempDirectory("engine");
        socket = directory.resolve("docker.sock");
    }

    @AfterEach
    void remove() {
        Directories.delete(directory);
    }

    @Test
    void anEngineThatAnswersIsFound() throws IOException {
        try (ServerSocketChannel engine = listen()) {
            Thread thread = new Thread(() -> answerOnce(engine));
            thread.start();

            assertThat(engineAt("unix://" + socket).answers()).isTrue();
        }
    }

    @Test
    void theUserEnginesSocketIsFoundInTheRuntimeDirectory() throws IOException {
        assertThat(DockerEngine.of(environment(Map.of("XDG_RUNTIME_DIR", directory.toString())))
                        .addresses())
                .doesNotContain(UnixDomainSocketAddress.of(socket));
        Files.createFile(socket);

        assertThat(DockerEngine.of(environment(Map.of("XDG_RUNTIME_DIR", directory.toString())))
                        .addresses())
                .contains(UnixDomainSocketAddress.of(socket));
    }

    @Test
    void aMissingSocketAPlainFileAndAClosedPortAreNoEngines() throws IOException {
        assertThat(engineAt("unix://" + socket).answers()).isFalse();
        Files.createFile(socket);
        assertThat(engineAt("unix://" + socket).answers()).isFalse();
        assertThat(engineAt("tcp://127.0.0.1:1").answers()).isFalse();
        assertThat(engineAt("npipe:////./pipe/docker_engine").answers()).isFalse();
    }

    @Test
    void anEngineThatHangsIsNone() throws IOException {
        try (ServerSocketChannel engine = listen()) {
            assertThat(engineAt("unix://" + socket).answers()).isFalse();
            assertThat(engine.isOpen()).isTrue();
        }
    }

    private ServerSocketChannel listen() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket));
    }

    private static void answerOnce(ServerSocketChannel engine) {
        try (SocketChannel client = engine.accept()) {
            client.read(ByteBuffer.allocate(512));
            client.write(ByteBuffer.wrap("HTTP/1.0 200 OK\r\n\r\nOK".getBytes(StandardCharsets.US_ASCII)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static DockerEngine engineAt(String dockerHost) {
        return DockerEngine.of(environment(Map.of("DOCKER_HOST", dockerHost)));
    }

    private static Environment environment(Map<String, String> settings) {
        return new Environment(name -> Optional.ofNullable(settings.get(name)));
    }
}
