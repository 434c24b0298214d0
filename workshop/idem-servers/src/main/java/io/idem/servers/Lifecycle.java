package io.idem.servers;

import java.util.OptionalLong;

/** What can be done to a server of some origin. Implementations are thread-safe. */
interface Lifecycle {

    boolean controllable();

    OptionalLong pid();

    void start();

    void stop();

    void kill();

    void freeze();

    void thaw();

    void close();
}
