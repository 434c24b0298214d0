package io.idem.servers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** The first packet of MariaDB's and MySQL's protocol, which the server sends when it is ready. */
final class Greeting {

    private static final int TIMEOUT_MILLIS = 500;

    private Greeting() {}

    /** Returns whether a server greets at this port of the loopback address. */
    static boolean comesFrom(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            return socket.getInputStream().read() >= 0;
        } catch (IOException notYet) {
            return false;
        }
    }
}
