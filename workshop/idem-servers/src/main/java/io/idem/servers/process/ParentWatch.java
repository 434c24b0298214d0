package io.idem.servers.process;

import java.util.Optional;

/** Ends a child JVM together with the JVM that started it. */
public final class ParentWatch {

    static final String PARENT = "idem.parent.pid";
    private static final int EXIT_CODE = 70;

    private ParentWatch() {}

    /**
     * Halts this JVM, without shutdown hooks, within a second of its parent's end. The parent is the JVM that started
     * the {@link ChildJvm}, or else the parent process. Must be called first in {@code main}; does not block.
     */
    public static void haltWithParent() {
        Optional.ofNullable(System.getProperty(PARENT))
                .map(pid -> ProcessHandle.of(Long.parseLong(pid)))
                .orElseGet(() -> ProcessHandle.current().parent())
                .ifPresentOrElse(ParentWatch::watch, ParentWatch::halt);
    }

    private static void watch(ProcessHandle parent) {
        Thread thread = new Thread(
                () -> {
                    parent.onExit().join();
                    halt();
                },
                "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void halt() {
        Runtime.getRuntime().halt(EXIT_CODE);
    }
}
