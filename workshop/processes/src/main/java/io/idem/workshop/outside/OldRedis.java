package io.idem.workshop.outside;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A server that identifies itself as Redis 6.2, with just enough of the protocol for a client to send INFO. */
public final class OldRedis implements AutoCloseable {

    private static final String INFO = "# Server\r\nredis_version:6.2.14\r\nmaxmemory_policy:noeviction\r\n";

    private static final String HELLO = """
            %7
            +server
            +redis
            +version
            +6.2.14
            +proto
            :3
            +id
            :1
            +mode
            +standalone
            +role
            +master
            +modules
            *0
            """.replace("\n", "\r\n");

    private final ServerSocket server;

    /** Starts a server on a free port of the loopback address. */
    public OldRedis() {
        try {
            server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        background(this::accept);
    }

    /** Returns the address for clients. */
    public String uri() {
        return "redis://127.0.0.1:" + server.getLocalPort();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                background(() -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private static void serve(Socket client) {
        try (client) {
            BufferedReader requests =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
            OutputStream replies = client.getOutputStream();
            for (String header = requests.readLine(); header != null; header = requests.readLine()) {
                replies.write(reply(command(requests, header)).getBytes(StandardCharsets.ISO_8859_1));
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** Returns the first word of an array of bulk strings, and reads past the others. */
    private static String command(BufferedReader requests, String header) throws IOException {
        String first = "";
        for (int word = Integer.parseInt(header.substring(1)); word > 0; word--) {
            requests.readLine();
            String text = requests.readLine();
            first = first.isEmpty() ? text.toUpperCase(Locale.ROOT) : first;
        }
        return first;
    }

    private static String reply(String command) {
        return switch (command) {
            case "HELLO" -> HELLO;
            case "INFO" -> "$" + INFO.length() + "\r\n" + INFO + "\r\n";
            case "PING" -> "+PONG\r\n";
            case "CLIENT", "SELECT" -> "+OK\r\n";
            default -> "-ERR unknown command\r\n";
        };
    }

    private static void background(Runnable work) {
        Thread thread = new Thread(work, "old-redis");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
