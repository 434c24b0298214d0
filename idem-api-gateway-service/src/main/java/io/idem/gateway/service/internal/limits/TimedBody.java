package io.idem.gateway.service.internal.limits;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.function.LongSupplier;

/**
 * A body that fails once its time is over, however slowly it arrives. A single read takes as long as the server allows.
 * Used by one thread.
 */
final class TimedBody extends ServletInputStream {

    private final ServletInputStream body;
    private final LongSupplier nanosLeft;

    /** @param nanosLeft returns the rest of the body's time; negative if it is over */
    TimedBody(ServletInputStream body, LongSupplier nanosLeft) {
        this.body = body;
        this.nanosLeft = nanosLeft;
    }

    @Override
    public int read() throws IOException {
        int read = body.read();
        requireTime(read);
        return read;
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
        int read = body.read(bytes, from, count);
        requireTime(read);
        return read;
    }

    private void requireTime(int read) throws IOException {
        if (read >= 0 && nanosLeft.getAsLong() < 0) {
            throw new OverdueException();
        }
    }

    @Override
    public int available() throws IOException {
        return body.available();
    }

    @Override
    public boolean isFinished() {
        return body.isFinished();
    }

    @Override
    public boolean isReady() {
        return body.isReady();
    }

    @Override
    public void setReadListener(ReadListener listener) {
        body.setReadListener(listener);
    }

    @Override
    public void close() throws IOException {
        body.close();
    }

    /** Thrown when the body did not arrive in time. */
    static final class OverdueException extends IOException {

        private static final long serialVersionUID = 1;

        OverdueException() {
            super("The request body did not arrive in time");
        }
    }
}
