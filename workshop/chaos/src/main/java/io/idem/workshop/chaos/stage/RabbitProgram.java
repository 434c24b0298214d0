package io.idem.workshop.chaos.stage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/** The script that started the RabbitMQ in use and can kill and restart it. Thread-safe. */
public record RabbitProgram(String script) {

    /** Environment variable that names the script. */
    public static final String SETTING = "IDEM_CHAOS_RABBITMQ";

    /** Returns the script that the environment names. */
    public static Optional<RabbitProgram> given() {
        return Optional.ofNullable(System.getenv(SETTING)).map(RabbitProgram::new);
    }

    /** Kills RabbitMQ with SIGKILL. */
    public void crash() {
        run("crash");
    }

    /** Starts RabbitMQ with its data; returns when it accepts clients. */
    public void resume() {
        run("resume");
    }

    private void run(String verb) {
        try {
            Process process = new ProcessBuilder(script, verb)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(script + " " + verb + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(script + " cannot be run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while RabbitMQ was to " + verb, e);
        }
    }
}
