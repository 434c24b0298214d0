package io.idem.servers;

import io.idem.servers.RunningAmqp.Flavour;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The product name and version of a broker, from the first frame that it sends to every client. */
record AmqpProduct(String name, String version) {

    private static final int TIMEOUT_MILLIS = 5_000;
    private static final byte[] HELLO = {'A', 'M', 'Q', 'P', 0, 0, 9, 1};
    private static final int METHOD_FRAME = 1;

    static AmqpProduct ask(AmqpAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), TIMEOUT_MILLIS);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(HELLO);
            return parse(firstFrame(new DataInputStream(socket.getInputStream())));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "No AMQP 0-9-1 broker answers at " + address.host() + ":" + address.port(), e);
        }
    }

    private static String firstFrame(DataInputStream input) throws IOException {
        if (input.readByte() != METHOD_FRAME) {
            throw new IOException("It does not speak AMQP 0-9-1");
        }
        input.readShort();
        return new String(input.readNBytes(input.readInt()), StandardCharsets.ISO_8859_1);
    }

    static AmqpProduct parse(String connectionStart) {
        return new AmqpProduct(field(connectionStart, "product"), field(connectionStart, "version"));
    }

    /**
     * Returns a text field of the frame's table, which has the length of the name, the name, 'S', the length of the
     * text in four bytes, and the text.
     */
    private static String field(String frame, String name) {
        Matcher matcher = Pattern.compile((char) name.length() + name + "S(.{4})", Pattern.DOTALL)
                .matcher(frame);
        if (!matcher.find()) {
            return "unknown";
        }
        String length = matcher.group(1);
        return frame.substring(matcher.end(), matcher.end() + (length.charAt(2) << 8 | length.charAt(3)));
    }

    /**
     * Returns whether the version is the given one or newer; false for a version that does not begin with two numbers.
     */
    boolean atLeast(int major, int minor) {
        Matcher matcher = Pattern.compile("(\\d+)\\.(\\d+)").matcher(version);
        if (!matcher.lookingAt()) {
            return false;
        }
        int first = Integer.parseInt(matcher.group(1));
        return first > major || (first == major && Integer.parseInt(matcher.group(2)) >= minor);
    }

    Flavour flavour() {
        return name.equals("RabbitMQ") ? Flavour.RABBITMQ : Flavour.QPID;
    }
}
