package io.idem.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class CountedSocketsTest {

    @Test
    void everyWriteIsCounted() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket socket = new CountedSockets("counted").createSocket()) {
            socket.connect(server.getLocalSocketAddress());
            long before = CountedSockets.writes("counted");

            socket.getOutputStream().write(new byte[] {1, 2, 3});
            socket.getOutputStream().write(new byte[] {4, 5, 6}, 1, 2);

            assertThat(CountedSockets.writes("counted") - before).isEqualTo(2);
            assertThat(CountedSockets.writes("another")).isZero();
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().readNBytes(5)).containsExactly(1, 2, 3, 5, 6);
            }
        }
    }
}
