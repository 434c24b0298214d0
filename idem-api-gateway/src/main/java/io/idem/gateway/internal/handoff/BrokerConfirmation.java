package io.idem.gateway.internal.handoff;

import io.idem.gateway.HandOffFailedException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A wait for a broker's answer, whose time starts before the message is sent. Used by one thread. */
final class BrokerConfirmation {

    private final String destination;
    private final Duration timeout;
    private final long deadline;

    BrokerConfirmation(String destination, Duration timeout) {
        this.destination = destination;
        this.timeout = timeout;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /** Returns the broker's answer. */
    <T> T await(Future<T> answer) {
        try {
            return answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (ExecutionException refused) {
            throw failed("was refused", refused.getCause() == null ? refused : refused.getCause());
        } catch (TimeoutException late) {
            throw failed("was not confirmed within " + timeout, late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw failed("was not confirmed before the service stopped", stopped);
        }
    }

    HandOffFailedException failed(String what, Throwable cause) {
        return new HandOffFailedException(
                "A message to " + destination + " " + what + ": " + cause.getMessage(), cause);
    }
}
