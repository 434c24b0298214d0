package io.idem.demo.supervisor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.OptionalInt;

/** The ports for HTTP. */
final class Ports {

    private static final int INTAKE = 8080;
    private static final int PAGE = 8090;
    private static final int ANY = 0;

    private Ports() {}

    /**
     * The one asked for, or else 8080, or else 0 for any.
     *
     * @throws StartException if the one asked for is taken
     */
    static int ofIntake(OptionalInt asked) {
        return choose("--port", asked, INTAKE);
    }

    /**
     * The one asked for, or else 8090, or else 0 for any.
     *
     * @throws StartException if the one asked for is taken
     */
    static int ofPage(OptionalInt asked) {
        return choose("--page-port", asked, PAGE);
    }

    private static int choose(String option, OptionalInt asked, int usual) {
        if (asked.isPresent() && !isFree(asked.getAsInt())) {
            throw new StartException(
                    "port " + asked.getAsInt() + " is taken or not allowed; choose another with " + option);
        }
        return asked.orElse(isFree(usual) ? usual : ANY);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException taken) {
            return false;
        }
    }
}
