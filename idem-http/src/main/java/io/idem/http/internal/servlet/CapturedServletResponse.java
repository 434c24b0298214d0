package io.idem.http.internal.servlet;

import io.idem.http.Header;
import io.idem.http.HeaderPolicy;
import io.idem.http.StoredResponse;
import io.idem.http.internal.admission.HandlerRun;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * A response that is held back until its outcome is recorded. Status and headers are set on the wrapped response at once, which stays
 * uncommitted; the body is held, unless it is a stream or too large.
 */
final class CapturedServletResponse extends HttpServletResponseWrapper {

    private final HttpServletRequest request;
    private final ResponseBody body;
    private final TouchedHeaders touched;
    private final int keptAtMost;
    private final Predicate<String> reserved;
    private volatile @Nullable PrintWriter writer;
    private volatile @Nullable Charset writersCharset;
    private volatile boolean errorSent;
    private volatile @Nullable Redirect redirect;

    /**
     * Creates a response that is held back until it is recorded.
     *
     * @param request request as a wrapper, which shows when another resource is included
     * @param limit largest body that is held and stored, in bytes
     * @param reserved names of headers that only the filter may set
     */
    CapturedServletResponse(
            HttpServletRequest request, HttpServletResponse response, int limit, Predicate<String> reserved) {
        this(request, response, limit, false, reserved, new TouchedHeaders());
    }

    private CapturedServletResponse(
            HttpServletRequest request,
            HttpServletResponse response,
            int keptAtMost,
            boolean untilCommit,
            Predicate<String> reserved,
            TouchedHeaders touched) {
        super(ShieldedResponse.of(response));
        this.request = request;
        this.touched = touched;
        this.keptAtMost = keptAtMost;
        this.reserved = reserved;
        this.body = untilCommit
                ? new ResponseBody(Integer.MAX_VALUE, () -> false, this::open)
                : new ResponseBody(keptAtMost, () -> ResponseBody.streamed(request, this), this::open);
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
        return new CapturedServletResponse(request, response, keptAtMost, true, reserved, new TouchedHeaders());
    }

    /** Returns the response for the error page that the container renders after {@code sendError}; headers that were set before stay. */
    CapturedServletResponse forErrorPage(HttpServletRequest dispatched, HttpServletResponse response, int limit) {
        return new CapturedServletResponse(dispatched, response, limit, false, reserved, touched);
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
        if (body.passing() || errorSent || body.length() > keptAtMost) {
            return StoredResponse.withoutBody(getStatus(), touched.stored(this, policy));
        }
        StoredResponse answer = StoredResponse.of(getStatus(), touched.stored(this, policy), body.held());
        return redirect == null ? answer : answer.redirecting();
    }

    /** Sends the answer, once it is recorded. */
    void sendHeld() throws IOException {
        Redirect last = redirect;
        flushWriter();
        if (!errorSent) {
            body.send();
        }
        if (last != null) {
            ServletAnswerWriter.redirect(
                    last.location(), getStatus(), last.clearsBuffer(), (HttpServletResponse) getResponse());
        }
    }

    /** Removes the answer from the wrapped response and returns that, so that another answer can be written to it. */
    HttpServletResponse retract() {
        body.discard();
        HttpServletResponse underneath = (HttpServletResponse) getResponse();
        List<Header> others = touched.others(underneath);
        underneath.reset();
        ServletAnswerWriter.setHeaders(others, underneath);
        return underneath;
    }

    private OutputStream open() throws IOException {
        Charset charset = writersCharset;
        return charset == null ? super.getOutputStream() : new WriterStream(super.getWriter(), charset);
    }

    /** Returns the body; the container refuses it behind a writer. */
    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        var unused = super.getOutputStream();
        return body;
    }

    /** Returns a writer in the charset that the container's own has; the container refuses it behind a stream. */
    @Override
    public PrintWriter getWriter() throws IOException {
        var unused = super.getWriter();
        Charset charset = Charset.forName(getCharacterEncoding());
        PrintWriter current = writer;
        if (current == null || !charset.equals(writersCharset)) {
            flushWriter();
            current = new PrintWriter(new OutputStreamWriter(body, charset));
            writer = current;
            writersCharset = charset;
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
        return redirect != null || super.isCommitted();
    }

    @Override
    public void reset() {
        if (included()) {
            return;
        }
        requireUncommitted();
        super.reset();
        touched.clear();
        forgetBody();
        writersCharset = null;
    }

    @Override
    public void resetBuffer() {
        super.resetBuffer();
        forgetBody();
    }

    /** Discards the body but keeps the writer: a handler that has it may go on to write, and its buffer must reach the new body. */
    private void forgetBody() {
        flushWriter();
        body.discard();
    }

    /** Returns whether an included resource answers, which may only add to the body: Tomcat would ignore its other calls. */
    private boolean included() {
        return request.getDispatcherType() == DispatcherType.INCLUDE;
    }

    @Override
    public void sendError(int status) throws IOException {
        sendError(status, null);
    }

    @Override
    public void sendError(int status, @Nullable String message) throws IOException {
        if (included()) {
            return;
        }
        requireUncommitted();
        noteError(status);
        super.sendError(status, message);
    }

    /** Notes an error whose page is rendered later, by the container or by a filter in front that keeps the error to itself. */
    void noteError(int status) {
        forgetBody();
        setStatus(status);
        errorSent = true;
        ChainEnd.handlerOf(request).filter(handler -> !handler.stores(status)).ifPresent(HandlerRun::answerLost);
    }

    /**
     * Notes a redirect, which the container makes when the answer is sent: it commits the response, and only it knows the form that it gives
     * the location. All other variants call this one.
     */
    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) {
        if (included()) {
            return;
        }
        requireUncommitted();
        flushWriter();
        if (clearBuffer) {
            resetBuffer();
        }
        body.shut();
        setStatus(status);
        setHeader(HttpHeaders.LOCATION, location);
        redirect = new Redirect(location, clearBuffer);
    }

    private void requireUncommitted() {
        if (isCommitted()) {
            throw new IllegalStateException("The response is committed");
        }
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
    public void setStatus(int status) {
        if (redirect == null && !errorSent) {
            super.setStatus(status);
        }
    }

    /** Sets the header of the locale, which Tomcat only sets when it sends the answer; to be stored, it must be set before. */
    @Override
    public void setLocale(@Nullable Locale locale) {
        if (!included()) {
            super.setLocale(locale);
            setHeader(HttpHeaders.CONTENT_LANGUAGE, locale == null ? null : locale.toLanguageTag());
        }
    }

    @Override
    public void setHeader(String name, @Nullable String value) {
        if (!refused(name)) {
            super.setHeader(name, value);
        }
    }

    @Override
    public void addHeader(String name, @Nullable String value) {
        if (!refused(name)) {
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
        if (!refused(name)) {
            super.setDateHeader(name, date);
        }
    }

    @Override
    public void addDateHeader(String name, long date) {
        if (!refused(name)) {
            super.addDateHeader(name, date);
        }
    }

    /** Notes a header; returns true if it must not be set. */
    private boolean refused(String name) {
        if (included()
                || redirect != null
                || reserved.test(name)
                || name.equalsIgnoreCase(HttpHeaders.TRANSFER_ENCODING)) {
            return true;
        }
        touched.touch(name);
        return false;
    }

    private record Redirect(String location, boolean clearsBuffer) {}
}
