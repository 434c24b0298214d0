package io.idem;

import io.idem.internal.value.WellFormed;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Canonical text of the values that a key is made of: equal values of different Java types have one text. */
final class CanonicalValue {

    private CanonicalValue() {}

    static String of(String name, @Nullable Object value) {
        if (value == null) {
            throw new InvalidKeyException(
                    "Field " + name + " of the key is missing; every field of a key needs a value");
        }
        if (value instanceof Number number) {
            return "n" + number(name, number);
        }
        if (value instanceof Boolean) {
            return "b" + value;
        }
        if (value instanceof Enum<?> constant) {
            return "s" + constant.name();
        }
        if (WellFormed.isText(value)) {
            String text = value.toString();
            WellFormed.require("Field " + name + " of the key", text, InvalidKeyException::new);
            return "s" + text;
        }
        throw new InvalidKeyException("Field " + name + " of the key is of type "
                + value.getClass().getName() + "; choose fields that are texts, numbers, booleans or dates");
    }

    /** Writes digits and exponent. Plain digits of a short text such as 1E999999999 would be very long. */
    private static String number(String name, Number number) {
        try {
            BigDecimal stripped = decimal(name, number).stripTrailingZeros();
            return stripped.signum() == 0 ? "0E0" : stripped.unscaledValue() + "E" + -(long) stripped.scale();
        } catch (ArithmeticException tooLarge) {
            throw new InvalidKeyException("Field " + name + " of the key is a number whose exponent is too large");
        }
    }

    private static BigDecimal decimal(String name, Number number) {
        if (number instanceof BigInteger whole) {
            return new BigDecimal(whole);
        }
        try {
            return new BigDecimal(number.toString());
        } catch (NumberFormatException notANumber) {
            throw new InvalidKeyException(
                    "Field " + name + " of the key is " + number + "; choose a field with a value");
        }
    }
}
