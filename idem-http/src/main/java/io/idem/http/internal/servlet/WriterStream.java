package io.idem.http.internal.servlet;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;

/** A stream of the bytes of a text to a container's writer, behind which the container gives no stream. */
final class WriterStream extends OutputStream {

    private final PrintWriter writer;
    private final CharsetDecoder decoder;

    WriterStream(PrintWriter writer, Charset charset) {
        this.writer = writer;
        this.decoder = charset.newDecoder();
    }

    @Override
    public void write(int b) {
        write(new byte[] {(byte) b}, 0, 1);
    }

    /** Writes whole characters, as encoders do. */
    @Override
    public void write(byte[] bytes, int offset, int length) {
        CharBuffer text = CharBuffer.allocate((int) Math.ceil(length * (double) decoder.maxCharsPerByte()));
        decoder.decode(ByteBuffer.wrap(bytes, offset, length), text, false);
        writer.append(text.flip());
    }

    @Override
    public void flush() throws IOException {
        if (writer.checkError()) {
            throw new IOException("The client went away");
        }
    }
}
