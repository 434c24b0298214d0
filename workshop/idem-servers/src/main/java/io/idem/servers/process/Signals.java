package io.idem.servers.process;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Sends signals that {@link Process} has no method for. */
public final class Signals {

    private Signals() {}

    /**
     * Sends a signal and waits until it is sent.
     *
     * @param name name without the SIG prefix: {@code INT}, {@code KILL}, {@code STOP}, {@code CONT}
     * @return whether there was a process to receive it
     */
    public static boolean send(long pid, String name) {
        // The kill built into the shell, because a slim image has no such program.
        ProcessBuilder kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD);
        try {
            return kill.start().waitFor() == 0;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot send SIG" + name + " to process " + pid, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while sending SIG" + name + " to process " + pid, e);
        }
    }
}
