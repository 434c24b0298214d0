package io.idem.gateway.service.internal.limits;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Adapter;
import org.apache.coyote.InputBuffer;
import org.apache.coyote.Request;
import org.apache.coyote.Response;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.apache.tomcat.util.net.SocketEvent;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the time for which a client that sends slowly holds a thread of Tomcat, where no filter reads its body.
 * Thread-safe.
 *
 * <p>Tomcat reads up to 2 MB of an unread body, so that the connection can serve another request; a client that sends a
 * byte now and then holds the thread. Behind this adapter such a body has half a second to arrive, then the connection
 * ends. It ends at once if the body is chunked, because its framing may be as slow as its content. Forms, which Tomcat
 * reads by itself, have the time of other bodies. Uploads to handlers of an application around the intake are not
 * bounded.
 *
 * <p>Wraps Tomcat's own adapter, which answers some requests, such as {@code OPTIONS *}, without a valve. HTTP/2 does
 * not read unread bodies.
 */
public final class SlowBodyAdapter implements Adapter {

    private static final Duration REST = Duration.ofMillis(500);
    /** The time by which a filter that reads the form itself answers first. */
    private static final Duration MORE = Duration.ofSeconds(1);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private final Adapter tomcats;
    private final Duration longest;

    /**
     * Creates an adapter around another one.
     *
     * @param longest the time from the arrival of the headers to that of the last byte of a form
     */
    public SlowBodyAdapter(Adapter tomcats, Duration longest) {
        this.tomcats = tomcats;
        this.longest = longest;
    }

    @Override
    public void service(Request request, Response response) throws Exception {
        if (request.protocol().toString().startsWith("HTTP/2")) {
            tomcats.service(request, response);
            return;
        }
        InputBuffer input = request.getInputBuffer();
        if (isReadByTomcat(request.getContentType())) {
            request.setInputBuffer(new TimedInput(input, longest.plus(MORE)));
        }
        try {
            tomcats.service(request, response);
        } finally {
            request.setInputBuffer(input);
        }
        if (!is(ActionCode.ASYNC_IS_ASYNC, request) && !arrives(request)) {
            request.action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    private static boolean isReadByTomcat(@Nullable String type) {
        String lower = type == null ? "" : type.strip().toLowerCase(Locale.ROOT);
        return lower.startsWith("application/x-www-form-urlencoded");
    }

    private static boolean arrives(Request request) throws IOException {
        long start = System.nanoTime();
        Discarded discarded = new Discarded();
        while (!is(ActionCode.REQUEST_BODY_FULLY_READ, request)) {
            if (!mayArrive(request) || System.nanoTime() - start > REST.toNanos()) {
                return false;
            }
            request.action(ActionCode.AVAILABLE, true);
            if (request.getAvailable() == 0) {
                LockSupport.parkNanos(PAUSE.toNanos());
            } else if (request.doRead(discarded) < 0) {
                return true;
            }
        }
        return true;
    }

    /**
     * Returns whether the rest of the body may still arrive. A client that waits to be asked for its body has been
     * answered instead.
     */
    private static boolean mayArrive(Request request) {
        return request.getContentLengthLong() >= 0 && !request.hasExpectation();
    }

    private static boolean is(ActionCode question, Request request) {
        AtomicBoolean answer = new AtomicBoolean();
        request.action(question, answer);
        return answer.get();
    }

    @Override
    public boolean prepare(Request request, Response response) throws Exception {
        return tomcats.prepare(request, response);
    }

    @Override
    public boolean asyncDispatch(Request request, Response response, SocketEvent event) throws Exception {
        return tomcats.asyncDispatch(request, response, event);
    }

    @Override
    public void log(Request request, Response response, long time) {
        tomcats.log(request, response, time);
    }

    @Override
    public void checkRecycled(Request request, Response response) {
        tomcats.checkRecycled(request, response);
    }

    @Override
    public String getDomain() {
        return tomcats.getDomain();
    }

    /** A body that fails once its time is over. Used by the thread of one request. */
    private static final class TimedInput implements InputBuffer {

        private final InputBuffer input;
        private final Duration longest;
        private final long start = System.nanoTime();

        TimedInput(InputBuffer input, Duration longest) {
            this.input = input;
            this.longest = longest;
        }

        /** Reads from the body; Tomcat answers a timeout exception with 408. */
        @Override
        public int doRead(ApplicationBufferHandler handler) throws IOException {
            int read = input.doRead(handler);
            if (read >= 0 && System.nanoTime() - start > longest.toNanos()) {
                throw new SocketTimeoutException("The request body did not arrive in time");
            }
            return read;
        }

        @Override
        public int available() {
            return input.available();
        }
    }

    /** Discards the bytes that Tomcat has read. */
    private static final class Discarded implements ApplicationBufferHandler {

        private ByteBuffer bytes = ByteBuffer.allocate(0);

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            bytes = buffer;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return bytes;
        }

        @Override
        public void expand(int size) {
            // Bytes are discarded.
        }
    }
}
