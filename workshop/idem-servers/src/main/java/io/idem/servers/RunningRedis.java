package io.idem.servers;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** A Redis that accepts clients. */
public final class RunningRedis extends RunningServer {

    private final URI uri;
    private final Optional<Path> log;

    RunningRedis(URI uri, Origin origin, Lifecycle lifecycle) {
        this(uri, origin, lifecycle, Optional.empty());
    }

    RunningRedis(URI uri, Origin origin, Lifecycle lifecycle, Optional<Path> log) {
        super(origin, lifecycle);
        this.uri = uri;
        this.log = log;
    }

    /** Returns the host name or address. */
    public String host() {
        return uri.getHost();
    }

    public int port() {
        return uri.getPort() < 0 ? 6379 : uri.getPort();
    }

    /** Returns the password of the user in {@link #uri()}, or of the default user. */
    public Optional<String> password() {
        return Optional.ofNullable(uri.getUserInfo()).map(info -> info.substring(info.indexOf(':') + 1));
    }

    /** Returns {@code redis://[[user]:password@]host:port[/database]}. */
    public String uri() {
        return uri.toString();
    }

    /**
     * Sends one command on a new connection, without a password.
     *
     * @return the reply as text; the elements of a list are lines
     * @throws IllegalStateException if the reply is an error
     */
    public String command(String... words) {
        return RespSocket.ask(port(), words);
    }

    /** Returns a field of {@code INFO}; empty if there is none of this name. */
    public String info(String fact) {
        return command("INFO", "everything")
                .lines()
                .filter(line -> line.startsWith(fact + ":"))
                .map(line -> line.substring(fact.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** Returns the log of an own server, which is appended to at each start; empty for other servers. */
    public Optional<Path> log() {
        return log;
    }

    @Override
    public String description() {
        return "Redis at " + host() + ":" + port();
    }
}
