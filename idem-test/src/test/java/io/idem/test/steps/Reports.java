package io.idem.test.steps;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The connection of one key's work to the {@link Provider}. Every report is answered before the work goes on. */
final class Reports {

    private final Socket socket;
    private final BufferedReader answers;
    private final String sender;

    Reports(int port, String process, String key) {
        this.sender = process + "\t" + key + "\t";
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("No connection to the provider", e);
        }
    }

    synchronized String send(Report report, String... words) {
        String line = sender + report + "\t" + String.join("\t", words) + "\n";
        try {
            socket.getOutputStream().write(line.getBytes(StandardCharsets.UTF_8));
            return answers.readLine();
        } catch (IOException e) {
            throw new UncheckedIOException("No answer from the provider", e);
        }
    }
}
