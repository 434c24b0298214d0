package io.idem.http.internal.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A request whose body was read before its handler asked for it. */
class BufferedServletRequest extends HttpServletRequestWrapper {

    private final BufferedBody body;
    private @Nullable BufferedReader reader;
    private boolean streamTaken;

    BufferedServletRequest(HttpServletRequest request, byte[] bytes) {
        super(request);
        this.body = new BufferedBody(bytes);
    }

    @Override
    public ServletInputStream getInputStream() {
        if (reader != null) {
            throw new IllegalStateException("getReader() has been called for this request");
        }
        streamTaken = true;
        return body;
    }

    @Override
    public BufferedReader getReader() throws IOException {
        if (streamTaken) {
            throw new IllegalStateException("getInputStream() has been called for this request");
        }
        if (reader == null) {
            String named = getCharacterEncoding();
            reader = new BufferedReader(
                    new InputStreamReader(body, named == null ? StandardCharsets.ISO_8859_1.name() : named));
        }
        return reader;
    }

    private static final class BufferedBody extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        BufferedBody(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public int available() {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            try {
                if (!isFinished()) {
                    listener.onDataAvailable();
                }
                listener.onAllDataRead();
            } catch (IOException failed) {
                listener.onError(failed);
            }
        }
    }
}
