package io.idem.http.internal.servlet;

import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * A response that is held back until its outcome is recorded. Status and headers are set on the wrapped response at once, which stays
 * uncommitted; the body is held, unless it is a stream or too large.
 */
final class CapturedServletResponse extends HttpServletResponseWrapper {

    private static final long UNDECLARED = -1;

    private static final int HELD_AT_MOST = Integer.MAX_VALUE;

    private final HttpServletRequest request;
    private final ResponseBody body;
    private final TouchedHeaders touched;
    private final int keptAtMost;
    private final Predicate<String> reserved;
    private volatile @Nullable PrintWriter writer;
    private volatile @Nullable String writersEncoding;
    private volatile boolean writerTaken;
    private volatile boolean streamTaken;
    private volatile boolean localized;
    private volatile long declaredLength = UNDECLARED;
    private volatile boolean errorSent;
    private volatile boolean redirected;

    /**
     * Creates a response that is held back until it is recorded.
     *
     * @param request request as a wrapper, which shows when another resource is included
     * @param limit largest body that is held and stored, in bytes
     * @param reserved names of headers that only the filter may set
     */
    CapturedServletResponse(
            HttpServletRequest request, HttpServletResponse response, int limit, Predicate<String> reserved) {
        this(request, response, limit, reserved, new TouchedHeaders());
    }

    private CapturedServletResponse(
            HttpServletRequest request,
            HttpServletResponse response,
            int limit,
            Predicate<String> reserved,
            TouchedHeaders touched) {
        super(ShieldedResponse.of(response));
        this.request = request;
        this.touched = touched;
        this.keptAtMost = HELD_AT_MOST;
        this.reserved = reserved;
        this.body = new ResponseBody(limit, () -> ResponseBody.streamed(request, this), this::open);
    }

    private CapturedServletResponse(
            HttpServletRequest request, HttpServletResponse response, Predicate<String> reserved, int keptAtMost) {
        super(ShieldedResponse.of(response));
        this.request = request;
        this.touched = new TouchedHeaders();
        this.keptAtMost = keptAtMost;
        this.reserved = reserved;
        this.body = new ResponseBody(HELD_AT_MOST, () -> false, this::open);
    }

    /**
     * Creates a response of which nothing is sent before {@link #sendHeld}, however long it is, so that it can always be retracted.
     *
     * @param request request as a wrapper, which shows when another resource is included
     * @param keptAtMost largest body that is stored, in bytes
     * @param reserved names of headers that only the filter may set
     */
    static CapturedServletResponse untilCommit(
            HttpServletRequest request, HttpServletResponse response, int keptAtMost, Predicate<String> reserved) {
        return new CapturedServletResponse(request, response, reserved, keptAtMost);
    }

    /** Returns the response for the error page that the container renders after {@code sendError}; headers that were set before stay. */
    CapturedServletResponse forErrorPage(HttpServletRequest dispatched, HttpServletResponse response, int limit) {
        return new CapturedServletResponse(dispatched, response, limit, reserved, touched);
    }

    /** Returns whether the handler left the body to the container's error page. */
    boolean errorSent() {
        return errorSent;
    }

    /** Returns whether the client has received a part of the answer, so that no other can be given. */
    boolean passing() {
        return body.passing();
    }

    /** Returns whether a write failed because the client went away. */
    boolean clientGone() {
        return body.clientGone();
    }

    /** Returns whether nothing of the body was written to the client so far. */
    boolean withheld() {
        return !passing() && !clientGone();
    }

    /** Returns the answer in its present state. */
    StoredResponse capture(HeaderPolicy policy) {
        flushWriter();
        return body.passing() || errorSent || body.length() > keptAtMost
                ? StoredResponse.withoutBody(getStatus(), touched.stored(this, policy))
                : StoredResponse.of(getStatus(), touched.stored(this, policy), body.held());
    }

    /** Sends the answer, once it is recorded. */
    void sendHeld() throws IOException {
        flushWriter();
        if (body.passing()) {
            body.flush();
        } else if (!errorSent) {
            byte[] content = body.held();
            if (content.length > 0) {
                super.setContentLength(content.length);
            }
            super.getOutputStream().write(content);
        }
    }

    /** Removes the answer from the wrapped response and returns that, so that another answer can be written to it. */
    HttpServletResponse retract() {
        body.discard();
        HttpServletResponse underneath = (HttpServletResponse) getResponse();
        touched.removeFrom(underneath);
        underneath.setContentType(null);
        if (localized) {
            underneath.setLocale(null);
        }
        underneath.setStatus(SC_OK);
        return underneath;
    }

    private ServletOutputStream open() throws IOException {
        if (declaredLength != UNDECLARED) {
            super.setContentLengthLong(declaredLength);
        }
        return super.getOutputStream();
    }

    @Override
    public ServletOutputStream getOutputStream() {
        if (writerTaken) {
            throw new IllegalStateException("getWriter() has been called for this response");
        }
        streamTaken = true;
        return body;
    }

    @Override
    public PrintWriter getWriter() {
        PrintWriter current = writer;
        if (streamTaken) {
            throw new IllegalStateException("getOutputStream() has been called for this response");
        }
        if (current == null || !writerTaken) {
            String encoding = getCharacterEncoding();
            super.setCharacterEncoding(encoding);
            if (current == null || !encoding.equals(writersEncoding)) {
                flushWriter();
                current = new PrintWriter(new OutputStreamWriter(body, Charset.forName(encoding)));
                writer = current;
                writersEncoding = encoding;
            }
            writerTaken = true;
        }
        return current;
    }

    private void flushWriter() {
        if (writer != null) {
            writer.flush();
        }
    }

    @Override
    public void flushBuffer() throws IOException {
        flushWriter();
        body.flush();
        if (body.passing()) {
            super.flushBuffer();
        }
    }

    @Override
    public boolean isCommitted() {
        return redirected || super.isCommitted();
    }

    @Override
    public void reset() {
        if (included()) {
            return;
        }
        super.reset();
        touched.clear();
        forgetBody();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forgetBody();
    }

    /** Discards the body but keeps the writer: a handler that has it may go on to write, and its buffer must reach the new body. */
    private void forgetBody() {
        flushWriter();
        writerTaken = false;
        streamTaken = false;
        body.discard();
        declaredLength = UNDECLARED;
    }

    /** Returns whether an included resource answers, which may only add to the body: Tomcat would ignore its other calls. */
    private boolean included() {
        return request.getDispatcherType() == DispatcherType.INCLUDE;
    }

    @Override
    public void sendError(int status) throws IOException {
        if (included()) {
            return;
        }
        forgetBody();
        errorSent = true;
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        if (included()) {
            return;
        }
        forgetBody();
        errorSent = true;
        super.sendError(status, message);
    }

    /** Redirects without committing, as the container would before the outcome is recorded. All other variants call this one. */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        if (included()) {
            return;
        }
        if (clearBuffer) {
            resetBuffer();
        }
        setStatus(status);
        setHeader(HttpHeaders.LOCATION, location);
        redirected = true;
        body.shut();
    }

    @Override
    public void sendRedirect(String location) {
        sendRedirect(location, SC_FOUND, true);
    }

    @Override
    public void sendRedirect(String location, int status) {
        sendRedirect(location, status, true);
    }

    @Override
    public void sendRedirect(String location, boolean clearBuffer) {
        sendRedirect(location, SC_FOUND, clearBuffer);
    }

    @Override
    public void setContentLength(int length) {
        setContentLengthLong(length);
    }

    @Override
    public void setContentLengthLong(long length) {
        if (!included()) {
            declaredLength = length;
        }
    }

    /** Sets the header of the locale, which Tomcat only sets when it sends the answer; to be stored, it must be set before. */
    @Override
    public void setLocale(@Nullable Locale locale) {
        if (!included()) {
            super.setLocale(locale);
            localized = true;
            setHeader(HttpHeaders.CONTENT_LANGUAGE, locale == null ? null : locale.toLanguageTag());
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (!held(name, value)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (!held(name, value)) {
            super.addHeader(name, value);
        }
    }

    @Override
    public void setIntHeader(String name, int value) {
        setHeader(name, Integer.toString(value));
    }

    @Override
    public void addIntHeader(String name, int value) {
        addHeader(name, Integer.toString(value));
    }

    @Override
    public void setDateHeader(String name, long date) {
        if (!held(name, null)) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!held(name, null)) {
            super.addDateHeader(name, date);
        }
    }

    /** Notes a header; returns true if it must not be set on the wrapped response, or not yet. */
    private boolean held(String name, @Nullable String value) {
        if (included() || reserved.test(name)) {
            return true;
        }
        if (TouchedHeaders.ofTransfer(name)) {
            declaredLength = HttpHeaders.CONTENT_LENGTH.equalsIgnoreCase(name) && value != null
                    ? Long.parseLong(value)
                    : declaredLength;
            return true;
        }
        touched.touch(name);
        return false;
    }
}
