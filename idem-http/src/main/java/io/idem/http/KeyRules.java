package io.idem.http;

import io.idem.IdempotencyKey;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a key must look like beyond its syntax. Lengths count the characters of the parsed key. Immutable.
 *
 * @param minLength shortest key; default 1
 * @param maxLength longest key; default {@value #DEFAULT_MAX_LENGTH}, at most {@link IdempotencyKey#MAX_LENGTH}
 * @param format default {@link Format#ANY}
 */
public record KeyRules(int minLength, int maxLength, Format format) {

    /** Longest key unless configured: room for any identifier in use, too small to be a payload. */
    public static final int DEFAULT_MAX_LENGTH = 255;

    /** 1 to {@value #DEFAULT_MAX_LENGTH} characters of any format. */
    public static final KeyRules DEFAULT = new KeyRules(1, DEFAULT_MAX_LENGTH, Format.ANY);

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException names the bound and what it must be
     */
    public KeyRules {
        if (maxLength < 1 || maxLength > IdempotencyKey.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "max-key-length " + maxLength + " is not between 1 and " + IdempotencyKey.MAX_LENGTH);
        }
        if (minLength < 1 || minLength > maxLength) {
            throw new IllegalArgumentException(
                    "min-key-length " + minLength + " is not between 1 and max-key-length " + maxLength);
        }
    }

    /** What a parsed key does wrong; empty if nothing. */
    public Optional<String> objection(String key) {
        if (key.length() > maxLength) {
            return Optional.of("The key has " + key.length() + " characters; at most " + maxLength + " are allowed.");
        }
        if (key.length() < minLength) {
            return Optional.of("The key has " + key.length() + " characters; send at least " + minLength
                    + ", for example a UUID.");
        }
        return format.accepts(key)
                ? Optional.empty()
                : Optional.of("The key is not a UUID; send one as its 36 characters.");
    }

    /** Shape of a key. */
    public enum Format {
        /** Whatever the syntax allows. */
        ANY(".*"),
        /** A UUID of any version in its 36 characters. */
        UUID("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}");

        private final Pattern pattern;

        Format(String regex) {
            this.pattern = Pattern.compile(regex);
        }

        boolean accepts(String key) {
            return pattern.matcher(key).matches();
        }
    }
}
