package io.idem.internal.redis.script;

import io.lettuce.core.codec.Base16;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The Lua scripts of all transitions, each with the digest by which Redis knows it. */
public enum Script {
    ACQUIRE,
    RENEW,
    COMPLETE,
    FAIL,
    REJECT,
    REOPEN,
    FORCE,
    ERASE,
    REMEMBER,
    RECALL,

    /** Takes back a grant whose owner was not told of it. */
    WITHDRAW;

    private final String text;
    private final String digest;

    Script() {
        byte[] file = read(name().toLowerCase(Locale.ROOT));
        this.text = new String(file, StandardCharsets.UTF_8);
        this.digest = Base16.digest(file);
    }

    /** Reads a script from the engine's jar. */
    static byte[] read(String name) {
        String resource = "META-INF/idem/lua/" + name + ".lua";
        try (InputStream stream = Script.class.getClassLoader().getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(
                        resource + " is missing: idem-common was built or repackaged without it");
            }
            return stream.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(resource + " cannot be read", unreadable);
        }
    }

    String text() {
        return text;
    }

    /** Returns the SHA-1 in hexadecimal, which Redis uses as a name, not as a protection. */
    String digest() {
        return digest;
    }

    /** Returns whether replicas must have the script's write, if confirmations are asked for at all. */
    public boolean mustSpread() {
        return switch (this) {
            case ACQUIRE, RENEW, COMPLETE, REJECT, REMEMBER -> true;
            default -> false;
        };
    }

    /** Returns whether the script does its work without the steps too, which it only keeps or forgets beside it. */
    boolean mayGoWithoutSteps() {
        return switch (this) {
            case RENEW, COMPLETE, FAIL, REJECT -> true;
            default -> false;
        };
    }
}
