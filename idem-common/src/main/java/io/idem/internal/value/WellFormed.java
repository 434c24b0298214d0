package io.idem.internal.value;

import io.idem.InvalidKeyException;

/** Checks texts of which keys are made. */
public final class WellFormed {

    private WellFormed() {}

    /**
     * Checks a text by a loop: every key is checked, and an encoder would cost more than the rest of that.
     *
     * @param what begins the complaint
     * @throws InvalidKeyException if it has half a surrogate pair; encoded, each half would be the same question mark
     */
    public static void require(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i)) && !isPair(text, i++)) {
                throw new InvalidKeyException(what + " has half a surrogate pair; send well-formed Unicode");
            }
        }
    }

    private static boolean isPair(String text, int at) {
        return at + 1 < text.length() && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1));
    }
}
