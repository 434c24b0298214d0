package io.idem.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a Redis whether it serves clients; a server that still loads its append-only file does not. */
final class RedisPing {

    private static final int TIMEOUT_MILLIS = 1_000;

    private RedisPing() {}

    static boolean answers(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
            String reply = new String(socket.getInputStream().readNBytes(5), StandardCharsets.US_ASCII);
            return reply.equals("+PONG") || reply.equals("-NOAU");
        } catch (IOException e) {
            return false;
        }
    }
}
