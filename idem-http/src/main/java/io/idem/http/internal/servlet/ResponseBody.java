package io.idem.http.internal.servlet;

import io.idem.http.internal.admission.StreamedMediaTypes;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.web.filter.ShallowEtagHeaderFilter;

/**
 * The body of a response, held back until the outcome is recorded. From the first byte that is streamed or exceeds the limit, it is written
 * to the client directly. Written by one thread at a time, as every response.
 */
final class ResponseBody extends ServletOutputStream {

    /**
     * The mark that Spring MVC puts on requests that are answered by an emitter or a {@code StreamingResponseBody}, for its own caching
     * filter. Its name is not public; a test fails if it changes.
     */
    private static final String SPRING_MARK = ShallowEtagHeaderFilter.class.getName() + ".STREAMING";

    private final int limit;
    private final BooleanSupplier streaming;
    private final Opening opening;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private volatile @Nullable OutputStream client;
    private volatile boolean shut;
    private volatile boolean closed;
    private volatile boolean clientGone;

    /**
     * Creates a body.
     *
     * @param limit largest number of bytes that are held
     * @param streaming whether the response is known to be a stream
     * @param opening supplier of the stream to the client
     */
    ResponseBody(int limit, BooleanSupplier streaming, Opening opening) {
        this.limit = limit;
        this.streaming = streaming;
        this.opening = opening;
    }

    /** Returns whether a response is sent piece by piece, and must never be held back. */
    static boolean streamed(HttpServletRequest request, HttpServletResponse response) {
        String type = response.getContentType();
        return request.getAttribute(SPRING_MARK) != null || (type != null && StreamedMediaTypes.include(type));
    }

    byte[] held() {
        return held.toByteArray();
    }

    /** Returns the number of bytes that are held. */
    int length() {
        return held.size();
    }

    /** Returns whether the body is being written to the client already. */
    boolean passing() {
        return client != null;
    }

    /** Returns whether a write failed because the client went away. */
    boolean clientGone() {
        return clientGone;
    }

    /** Writes the bytes that are held to the client, or what its stream still has. */
    void send() throws IOException {
        if (passing()) {
            flush();
        } else if (held.size() > 0) {
            var unused = client();
        }
    }

    /** Discards the bytes that are held. */
    void discard() {
        held.reset();
        closed = false;
    }

    /** Ignores all further writes, as after a redirect. */
    void shut() {
        shut = true;
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        if (shut || closed) {
            return;
        }
        boolean fits = held.size() + (long) length <= limit;
        OutputStream out = passing() || !fits || streaming.getAsBoolean() ? client() : null;
        if (out == null) {
            held.write(bytes, offset, length);
        } else {
            guarded(() -> out.write(bytes, offset, length));
        }
    }

    @Override
    public void flush() throws IOException {
        if (!shut && (passing() || streaming.getAsBoolean())) {
            guarded(client()::flush);
        }
    }

    /** Ignores all further writes, as a container does once the response is closed: Tomcat closes it when a forward returns. */
    @Override
    public void close() throws IOException {
        flush();
        closed = true;
    }

    @Override
    public boolean isReady() {
        return !(client instanceof ServletOutputStream out) || out.isReady();
    }

    /** Writes to the client directly: the body of a non-blocking writer is not held. */
    @Override
    public void setWriteListener(WriteListener listener) {
        try {
            ((ServletOutputStream) client()).setWriteListener(listener);
        } catch (IOException failed) {
            listener.onError(failed);
        }
    }

    /** Returns the stream to the client, which is opened by the first call and first receives the bytes that were held. */
    private OutputStream client() throws IOException {
        OutputStream out = client;
        if (out != null) {
            return out;
        }
        OutputStream opened = opening.open();
        client = opened;
        byte[] before = held();
        held.reset();
        guarded(() -> opened.write(before));
        return opened;
    }

    private void guarded(Write write) throws IOException {
        try {
            write.run();
        } catch (IOException failed) {
            clientGone = true;
            throw failed;
        }
    }

    @FunctionalInterface
    interface Opening {
        OutputStream open() throws IOException;
    }

    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }
}
