package io.idem.servers;

import java.util.OptionalLong;

/** The lifecycle of a server that is not an own process, which can only be left alone or removed. */
record ForeignLifecycle(Runnable giveBack) implements Lifecycle {

    static ForeignLifecycle leftAlone() {
        return new ForeignLifecycle(() -> {});
    }

    @Override
    public boolean controllable() {
        return false;
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public void start() {
        throw refused();
    }

    @Override
    public void stop() {
        throw refused();
    }

    @Override
    public void kill() {
        throw refused();
    }

    @Override
    public void freeze() {
        throw refused();
    }

    @Override
    public void thaw() {
        throw refused();
    }

    @Override
    public void close() {
        giveBack.run();
    }

    private static UnsupportedOperationException refused() {
        return new UnsupportedOperationException(
                "This server is shared: ask for one with ServerOptions.own() to stop, kill or freeze it");
    }
}
