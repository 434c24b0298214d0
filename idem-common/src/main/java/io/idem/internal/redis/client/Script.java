package io.idem.internal.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A Lua script with the digest by which Redis knows it. */
public final class Script {

    static final String FOLDER = "META-INF/idem/lua/";

    private final String name;
    private final String text;
    private final String digest;

    private Script(String name, byte[] text) {
        this.name = name;
        this.text = new String(text, StandardCharsets.UTF_8);
        this.digest = HexFormat.of().formatHex(sha1(text));
    }

    /** Reads a script from the engine's jar. */
    public static Script named(String name) {
        String resource = FOLDER + name + ".lua";
        try (InputStream stream = Script.class.getClassLoader().getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(
                        resource + " is missing: idem-common was built or repackaged without it");
            }
            return new Script(name, stream.readAllBytes());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(resource + " cannot be read", unreadable);
        }
    }

    /** Returns the name for messages: the name of the file without its extension. */
    public String name() {
        return name;
    }

    String text() {
        return text;
    }

    /** Returns the SHA-1 in hexadecimal, which Redis uses as a name, not as a protection. */
    String digest() {
        return digest;
    }

    private static byte[] sha1(byte[] text) {
        try {
            return MessageDigest.getInstance("SHA-1").digest(text);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-1", impossible);
        }
    }
}
