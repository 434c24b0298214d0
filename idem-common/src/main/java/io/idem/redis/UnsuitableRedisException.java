package io.idem.redis;

import io.idem.IdempotencyException;
import java.util.Optional;

/**
 * Thrown when a server answers but cannot keep records safely. The message says why, and {@link #remedy()} what to do.
 */
public final class UnsuitableRedisException extends IdempotencyException {

    private final String remedy;
    private final String setting;

    public UnsuitableRedisException(String message, String remedy) {
        this(message, remedy, "");
    }

    public UnsuitableRedisException(String message, String remedy, String setting) {
        super(message + "; " + remedy);
        this.remedy = remedy;
        this.setting = setting;
    }

    /** Returns what an operator can do about it. */
    public String remedy() {
        return remedy;
    }

    /** Returns the setting by which an operator may accept the server all the same; empty if there is none. */
    public Optional<String> setting() {
        return Optional.of(setting).filter(name -> !name.isEmpty());
    }
}
