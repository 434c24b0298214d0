package io.idem.servers;

import java.util.OptionalLong;

/** A server that is not a process of this JVM's own: it can only be left alone, or given back. */
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
