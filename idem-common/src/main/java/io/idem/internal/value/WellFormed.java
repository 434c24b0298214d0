package io.idem.internal.value;

import java.math.BigInteger;
import java.time.temporal.TemporalAccessor;
import java.util.UUID;
import java.util.function.Function;

/** Checks texts of which keys are made. */
public final class WellFormed {

    private WellFormed() {}

    /**
     * Checks a text by a loop: every key is checked, and an encoder would cost more than the rest of that.
     *
     * @param what begins the complaint
     * @param refusal makes the exception for a text with half a surrogate pair; encoded, each half would be the same question mark
     */
    public static void require(String what, String text, Function<String, RuntimeException> refusal) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !isPair(text, i++)) {
                throw refusal.apply(what + " has half a surrogate pair; send well-formed Unicode");
            }
        }
    }

    /** Returns whether the text form of a value may be a key: it is a text, a UUID or a date. */
    public static boolean isText(Object value) {
        return value instanceof CharSequence
                || value instanceof Character
                || value instanceof UUID
                || value instanceof TemporalAccessor;
    }

    /** Returns whether a value is a whole number, whose text form may be a key. */
    public static boolean isIntegral(Object value) {
        return value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof BigInteger;
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }
}
