package io.idem.servers;

import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The parts of an {@code amqp://} URI. */
record AmqpAddress(String host, int port, String username, String password, String virtualHost) {

    private static final int DEFAULT_PORT = 5672;

    /** Returns the address of an own broker. */
    static AmqpAddress local(int port) {
        return new AmqpAddress("127.0.0.1", port, "guest", "guest", "/");
    }

    /**
     * Parses a URI.
     *
     * @throws IllegalArgumentException if the URI is invalid; the message does not repeat it, because it may hold a
     *     password
     */
    static AmqpAddress parse(String uri, String setting) {
        URI parsed = URI.create(uri);
        if (!"amqp".equals(parsed.getScheme()) || parsed.getHost() == null) {
            throw new IllegalArgumentException(setting + " must look like amqp://user:password@host:port/virtual-host");
        }
        int port = parsed.getPort() < 0 ? DEFAULT_PORT : parsed.getPort();
        String[] credentials = Optional.ofNullable(parsed.getRawUserInfo())
                .orElse("guest:guest")
                .split(":", 2);
        String password = credentials.length == 2 ? credentials[1] : "";
        return new AmqpAddress(
                parsed.getHost(), port, decoded(credentials[0]), decoded(password), virtualHost(parsed.getRawPath()));
    }

    /**
     * Returns the virtual host of a path by RabbitMQ's rule: an empty path means "/", and the first slash is not part
     * of the name.
     */
    private static String virtualHost(String path) {
        return path.length() <= 1 ? "/" : decoded(path.substring(1));
    }

    String uri() {
        String credentials = encoded(username) + ":" + encoded(password);
        return "amqp://" + credentials + "@" + host + ":" + port + "/" + encoded(virtualHost);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
