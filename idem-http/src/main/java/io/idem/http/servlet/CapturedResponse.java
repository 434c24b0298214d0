package io.idem.http.servlet;

import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * A response that is held back until its outcome is recorded. Status and headers go to the real response at once, which stays
 * uncommitted; the body is held, unless it is a stream or too large.
 */
final class CapturedResponse extends HttpServletResponseWrapper {

    private static final long UNDECLARED = -1;

    private static final int HELD_AT_MOST = Integer.MAX_VALUE;

    private final ResponseBody body;
    private final TouchedHeaders touched;
    private final int keptAtMost;
    private volatile @Nullable PrintWriter writer;
    private volatile long declaredLength = UNDECLARED;
    private volatile boolean errorSent;
    private volatile boolean redirected;

    CapturedResponse(HttpServletRequest request, HttpServletResponse response, int limit) {
        this(request, response, limit, new TouchedHeaders());
    }

    private CapturedResponse(
            HttpServletRequest request, HttpServletResponse response, int limit, TouchedHeaders touched) {
        super(response);
        this.touched = touched;
        this.keptAtMost = HELD_AT_MOST;
        this.body = new ResponseBody(limit, () -> Streaming.detected(request, this), this::open);
    }

    private CapturedResponse(HttpServletResponse response, int keptAtMost) {
        super(response);
        this.touched = new TouchedHeaders();
        this.keptAtMost = keptAtMost;
        this.body = new ResponseBody(HELD_AT_MOST, () -> false, this::open);
    }

    /**
     * A response of which nothing leaves before it is sent, however long it is: it may still be taken back.
     *
     * @param keptAtMost bytes of a body that are stored
     */
    static CapturedResponse untilCommit(HttpServletResponse response, int keptAtMost) {
        return new CapturedResponse(response, keptAtMost);
    }

    /** The response of the error page that the container renders after {@code sendError}; the headers set before are still there. */
    CapturedResponse forErrorPage(HttpServletRequest request, HttpServletResponse response, int limit) {
        return new CapturedResponse(request, response, limit, touched);
    }

    /** Whether the handler left the body to the container's error page. */
    boolean errorSent() {
        return errorSent;
    }

    /** Whether the client has received a part of the answer, so that no other can be given. */
    boolean passing() {
        return body.passing();
    }

    /** Whether a write failed because the client went away. */
    boolean clientGone() {
        return body.clientGone();
    }

    /** Whether nothing of the body was offered to the client so far. */
    boolean withheld() {
        return !passing() && !clientGone();
    }

    /** The answer as it is now. */
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

    /** Takes the answer back, so that another can be written to the response underneath. */
    HttpServletResponse retract() {
        body.discard();
        HttpServletResponse underneath = (HttpServletResponse) getResponse();
        touched.removeFrom(underneath);
        underneath.setContentType(null);
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
        return body;
    }

    @Override
    public PrintWriter getWriter() {
        PrintWriter current = writer;
        if (current == null) {
            super.setCharacterEncoding(getCharacterEncoding());
            current = new PrintWriter(new OutputStreamWriter(body, Charset.forName(getCharacterEncoding())));
            writer = current;
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
        super.reset();
        touched.clear();
        forgetBody();
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forgetBody();
    }

    private void forgetBody() {
        flushWriter();
        body.discard();
        declaredLength = UNDECLARED;
    }

    @Override
    public void sendError(int status) throws IOException {
        forgetBody();
        errorSent = true;
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        forgetBody();
        errorSent = true;
        super.sendError(status, message);
    }

    /** Every other {@code sendRedirect} comes through here. The container's own would commit before the outcome is recorded. */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
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
        declaredLength = length;
    }

    @Override
    public void setContentLengthLong(long length) {
        declaredLength = length;
    }

    @Override
    public void setLocale(Locale locale) {
        touched.touch(HttpHeaders.CONTENT_LANGUAGE);
        super.setLocale(locale);
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
        touched.touch(name);
        super.setDateHeader(name, date);
    }

    @Override
    public void addDateHeader(String name, long date) {
        touched.touch(name);
        super.addDateHeader(name, date);
    }

    /** Notes a header; true if it must not reach the response yet. */
    private boolean held(String name, @Nullable String value) {
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
