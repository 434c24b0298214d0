package io.idem.workshop.outside;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Sends header bytes that HTTP clients refuse to send. */
public final class RawHttp {

    private static final int PATIENCE_MILLIS = 60_000;

    private RawHttp() {}

    /**
     * Sends JSON in a POST request.
     *
     * @param headerLines as they go over the wire, in ISO 8859-1, without line ends
     */
    public static Reply post(int port, String path, List<String> headerLines, String body) {
        StringBuilder request = new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: localhost\r\n");
        headerLines.forEach(line -> request.append(line).append("\r\n"));
        request.append("Content-Type: application/json\r\nConnection: close\r\nContent-Length: ")
                .append(body.length())
                .append("\r\n\r\n")
                .append(body);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream().write(request.toString().getBytes(StandardCharsets.ISO_8859_1));
            byte[] reply = socket.getInputStream().readAllBytes();
            return parse(new String(reply, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            throw new UncheckedIOException("No reply to a raw POST " + path, e);
        }
    }

    private static Reply parse(String reply) {
        int headEnd = reply.indexOf("\r\n\r\n");
        List<String> head = reply.substring(0, headEnd).lines().toList();
        Map<String, List<String>> headers = new TreeMap<>();
        for (String line : head.subList(1, head.size())) {
            int colon = line.indexOf(':');
            headers.computeIfAbsent(line.substring(0, colon).toLowerCase(Locale.ROOT), name -> new ArrayList<>())
                    .add(line.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(head.get(0).split(" ", -1)[1]);
        return new Reply(status, headers, reply.substring(headEnd + 4));
    }
}
