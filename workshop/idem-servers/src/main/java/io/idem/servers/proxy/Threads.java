package io.idem.servers.proxy;

/** Creates daemon threads, so that a proxy that was not closed does not keep a JVM alive. */
final class Threads {

    private Threads() {}

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
