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
 * A response that is held back until its outcome is recorded. Status and headers go to the real response at once, which stays
 * uncommitted; the body is held, unless it is a stream or too large.
 */
final class CapturedServletResponse extends HttpServletResponseWrapper {

    private static final long UNDECLARED = -1;

    private static final int HELD_AT_MOST = Integer.MAX_VALUE;

    private final HttpServletRequest request;
    private final ResponseBody body;
    private final TouchedHeaders touched;
    private final int keptAtMost;
    private final Predicate<String> filters;
    private volatile @Nullable PrintWriter writer;
    private volatile @Nullable String writersEncoding;
    private volatile boolean writerTaken;
    private volatile boolean streamTaken;
    private volatile boolean localized;
    private volatile long declaredLength = UNDECLARED;
    private volatile boolean errorSent;
    private volatile boolean redirected;

    /**
     * A response that is held back.
     *
     * @param request a wrapper, which shows when another resource is included
     * @param limit bytes of a body that are held and stored
     * @param filters names of headers that are the filter's alone
     */
    CapturedServletResponse(
            HttpServletRequest request, HttpServletResponse response, int limit, Predicate<String> filters) {
        this(request, response, limit, filters, new TouchedHeaders());
    }

    private CapturedServletResponse(
            HttpServletRequest request,
            HttpServletResponse response,
            int limit,
            Predicate<String> filters,
            TouchedHeaders touched) {
        super(ShieldedResponse.of(response));
        this.request = request;
        this.touched = touched;
        this.keptAtMost = HELD_AT_MOST;
        this.filters = filters;
        this.body = new ResponseBody(limit, () -> ResponseBody.streamed(request, this), this::open);
    }

    private CapturedServletResponse(
            HttpServletRequest request, HttpServletResponse response, Predicate<String> filters, int keptAtMost) {
        super(ShieldedResponse.of(response));
        this.request = request;
        this.touched = new TouchedHeaders();
        this.keptAtMost = keptAtMost;
        this.filters = filters;
        this.body = new ResponseBody(HELD_AT_MOST, () -> false, this::open);
    }

    /**
     * A response of which nothing leaves before it is sent, however long it is: it may still be taken back.
     *
     * @param request a wrapper, which shows when another resource is included
     * @param keptAtMost bytes of a body that are stored
     * @param filters names of headers that are the filter's alone
     */
    static CapturedServletResponse untilCommit(
            HttpServletRequest request, HttpServletResponse response, int keptAtMost, Predicate<String> filters) {
        return new CapturedServletResponse(request, response, filters, keptAtMost);
    }

    /** The response of the error page that the container renders after {@code sendError}; the headers set before are still there. */
    CapturedServletResponse forErrorPage(HttpServletRequest dispatched, HttpServletResponse response, int limit) {
        return new CapturedServletResponse(dispatched, response, limit, filters, touched);
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

    /** Keeps the writer: whoever has it may go on to write, and what it buffers must reach the body. */
    private void forgetBody() {
        flushWriter();
        writerTaken = false;
        streamTaken = false;
        body.discard();
        declaredLength = UNDECLARED;
    }

    /** Whether an included resource answers, which adds to the body only. Tomcat has it call us first, and ignores what we pass on. */
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

    /** Every other {@code sendRedirect} comes through here. The container's own would commit before the outcome is recorded. */
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

    /** Tomcat makes the header of the locale when it sends the answer; to be stored, it must be there before. */
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

    /** Notes a header; true if it must not reach the response, or not yet. */
    private boolean held(String name, @Nullable String value) {
        if (included() || filters.test(name)) {
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
