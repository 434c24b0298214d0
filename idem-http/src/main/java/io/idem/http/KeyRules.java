package io.idem.http;

import static io.idem.internal.value.Arguments.require;

import io.idem.IdempotencyKey;
import io.idem.internal.value.Uuids;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules for keys beyond their syntax. Lengths count the characters of the parsed key. Immutable.
 *
 * @param minLength length of the shortest key; default 1
 * @param maxLength length of the longest key; default {@value #DEFAULT_MAX_LENGTH}, at most {@link IdempotencyKey#MAX_LENGTH}
 * @param format form of the keys; default {@link Format#ANY}
 */
public record KeyRules(int minLength, int maxLength, Format format) {

    /** Length of the longest key by default: enough for every common identifier, too short for a payload. */
    public static final int DEFAULT_MAX_LENGTH = 255;

    /** The default rules: 1 to {@value #DEFAULT_MAX_LENGTH} characters of any format. */
    public static final KeyRules DEFAULT = new KeyRules(1, DEFAULT_MAX_LENGTH, Format.ANY);

    /**
     * Creates rules.
     *
     * @throws IllegalArgumentException names the bound and what it must be
     */
    public KeyRules {
        require(
                maxLength >= 1 && maxLength <= IdempotencyKey.MAX_LENGTH,
                "max-key-length " + maxLength + " is not between 1 and " + IdempotencyKey.MAX_LENGTH);
        require(
                minLength >= 1 && minLength <= maxLength,
                "min-key-length " + minLength + " is not between 1 and max-key-length " + maxLength);
    }

    /** Returns the reason why a parsed key is refused; empty if it is accepted. */
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

    /**
     * Returns the form in which a key is compared: a UUID in lower case, as <a href="https://www.rfc-editor.org/rfc/rfc9562#section-4">RFC
     * 9562</a> writes it, every other key unchanged.
     */
    public static String canonical(String key) {
        return Uuids.canonical(key);
    }

    /** The form of keys. */
    public enum Format {
        /** Any key that the syntax allows. */
        ANY(".*"),
        /** A UUID of any version in its 36 characters. */
        UUID(Uuids.TEXT);

        private final Pattern pattern;

        Format(String regex) {
            this.pattern = Pattern.compile(regex);
        }

        boolean accepts(String key) {
            return pattern.matcher(key).matches();
        }
    }
}
