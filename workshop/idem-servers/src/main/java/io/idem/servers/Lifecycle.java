package io.idem.servers;

import java.util.OptionalLong;

/** The operations on a server of any origin. Implementations are thread-safe. */
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
