package io.idem.http.contract;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;

/** An answer in a content coding. */
public final class Coded {

    private final String coding;
    private final byte[] body;

    private Coded(String coding, byte[] body) {
        this.coding = coding;
        this.body = body;
    }

    public String coding() {
        return coding;
    }

    public byte[] body() {
        return body;
    }

    public static Coded of(String kind) {
        return switch (kind) {
            case "gzip", "x-gzip" -> new Coded(kind, gzip(2000));
            case "deflate" -> new Coded(kind, deflate(new Deflater()));
            case "bare-deflate" -> new Coded("deflate", deflate(new Deflater(Deflater.DEFAULT_COMPRESSION, true)));
            case "gzip-of-much" -> new Coded("gzip", gzip(1 << 20));
            case "broken-gzip" -> new Coded("gzip", new byte[] {1, 2, 3});
            default -> new Coded(kind, new byte[] {1, 2, 3});
        };
    }

    private static byte[] gzip(int size) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(letters(size));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static byte[] deflate(Deflater deflater) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new DeflaterOutputStream(bytes, deflater)) {
            out.write(letters(2000));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } finally {
            deflater.end();
        }
        return bytes.toByteArray();
    }

    private static byte[] letters(int size) {
        return "a".repeat(size).getBytes(StandardCharsets.US_ASCII);
    }
}
