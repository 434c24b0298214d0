package io.idem.servers.proxy;

/** Daemon threads: a proxy that nobody closed must not keep a JVM alive. */
final class Threads {

    private Threads() {}

    static Thread start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
