package io.idem.http.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A bare socket to an {@link App}, for what a well-behaved client cannot send or do. */
public final class RawConnection implements AutoCloseable {

    private static final int TIMEOUT_MILLIS = 20_000;

    private final Socket socket;

    public RawConnection(App app) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), app.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    public void send(String text) throws IOException {
        send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** The status of the answer; 0 if the server hung up without one. */
    public int status() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int c = socket.getInputStream().read();
        while (c >= 0 && c != '\n') {
            line.write(c);
            c = socket.getInputStream().read();
        }
        String[] words = line.toString(StandardCharsets.ISO_8859_1).split(" ", 3);
        return words.length < 2 ? 0 : Integer.parseInt(words[1].strip());
    }

    /** Tells the server that nothing more comes. */
    public void endInput() throws IOException {
        socket.shutdownOutput();
    }

    /** Everything that the server sends until it hangs up, which it may do as soon as it refuses a request. */
    public String answer() throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        byte[] buffer = new byte[8192];
        try {
            int read = socket.getInputStream().read(buffer);
            while (read >= 0) {
                answer.write(buffer, 0, read);
                read = socket.getInputStream().read(buffer);
            }
        } catch (SocketException hungUp) {
            // What came before is the answer.
        }
        return answer.toString(StandardCharsets.ISO_8859_1);
    }

    /** Ends the connection so that the server's writes fail. */
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
