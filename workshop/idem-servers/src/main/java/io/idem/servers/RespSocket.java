package io.idem.servers;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A connection that speaks Redis's protocol, for the few commands that set up servers. Not thread-safe. */
final class RespSocket implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 5_000;

    private final Socket socket = new Socket();
    private final InputStream replies;

    RespSocket(int port) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        replies = new BufferedInputStream(socket.getInputStream());
    }

    /** Sends one command on a new connection. */
    static String ask(int port, String... words) {
        try (RespSocket connection = new RespSocket(port)) {
            return connection.ask(words);
        } catch (IOException e) {
            throw new UncheckedIOException("Redis at port " + port + " does not answer " + words[0], e);
        }
    }

    /** Sends a command and returns the reply as text. The elements of a list are lines, and a null is empty. */
    String ask(String... words) throws IOException {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(bytes("*" + words.length + "\r\n"));
        for (String word : words) {
            byte[] content = bytes(word);
            request.writeBytes(bytes("$" + content.length + "\r\n"));
            request.writeBytes(content);
            request.writeBytes(bytes("\r\n"));
        }
        socket.getOutputStream().write(request.toByteArray());
        return reply();
    }

    private String reply() throws IOException {
        String line = line();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+', ':' -> rest;
            case '-' -> throw new IllegalStateException("Redis answered " + rest);
            case '$' -> bulk(Integer.parseInt(rest));
            case '*' -> list(Integer.parseInt(rest));
            default -> throw new IOException("Not a reply: " + line);
        };
    }

    private String bulk(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] content = replies.readNBytes(length);
        line();
        return new String(content, StandardCharsets.UTF_8);
    }

    private String list(int length) throws IOException {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            parts.add(reply());
        }
        return String.join("\n", parts);
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = replies.read(); next != '\n'; next = replies.read()) {
            if (next < 0) {
                throw new IOException("The connection ended");
            }
            line.append((char) next);
        }
        return line.substring(0, line.length() - 1);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
