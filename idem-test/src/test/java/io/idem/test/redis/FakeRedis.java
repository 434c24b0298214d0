package io.idem.test.redis;

import io.lettuce.core.RedisURI;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Speaks just enough RESP2 to be taken for a Redis, and answers every command that is about data alike: with what no single
 * real server can be brought to give.
 */
final class FakeRedis implements AutoCloseable {

    private static final String INFO = "redis_version:7.4.0\r\nmaxmemory_policy:noeviction\r\n";

    private final ServerSocket door;
    private final String answer;

    private FakeRedis(String answer) {
        this.answer = answer;
        try {
            this.door = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        } catch (IOException noPort) {
            throw new UncheckedIOException(noPort);
        }
        start("fake-redis", this::accept);
    }

    static FakeRedis refusing(String error) {
        return new FakeRedis("-" + error);
    }

    /** Each line of an answer as the protocol wants it, type first. */
    static FakeRedis answering(String... lines) {
        return new FakeRedis(String.join("\r\n", lines));
    }

    RedisURI uri() {
        return RedisURI.create("127.0.0.1", door.getLocalPort());
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = door.accept();
                start("fake-redis-client", () -> serve(client));
            }
        } catch (IOException closed) {
            return;
        }
    }

    private void serve(Socket client) {
        try (client) {
            InputStream from = new BufferedInputStream(client.getInputStream());
            OutputStream to = client.getOutputStream();
            for (List<String> command = next(from); !command.isEmpty(); command = next(from)) {
                to.write((answer(command) + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
                to.flush();
            }
        } catch (IOException gone) {
            return;
        }
    }

    /** One array of bulk strings; empty at the end. */
    private static List<String> next(InputStream from) throws IOException {
        String header = line(from);
        List<String> words = new ArrayList<>();
        for (int left = header.isEmpty() ? 0 : number(header); left > 0; left--) {
            byte[] word = from.readNBytes(number(line(from)));
            line(from);
            words.add(new String(word, StandardCharsets.ISO_8859_1));
        }
        return words;
    }

    private static int number(String header) {
        return Integer.parseInt(header.substring(1));
    }

    private static String line(InputStream from) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = from.read(); next >= 0 && next != '\n'; next = from.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    private String answer(List<String> command) {
        return switch (command.get(0).toUpperCase(Locale.ROOT)) {
            case "HELLO" -> "-ERR unknown command 'HELLO'";
            case "PING" -> "+PONG";
            case "CLIENT" -> "+OK";
            case "INFO" -> "$" + INFO.length() + "\r\n" + INFO;
            default -> answer;
        };
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException stillOpen) {
            throw new UncheckedIOException(stillOpen);
        }
    }
}
