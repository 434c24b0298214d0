package io.idem.internal.spring;

import io.idem.ConfigurationException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/** Thrown for a setting that is wrong by itself or does not fit another one. */
public final class InvalidSettingException extends ConfigurationException {

    /** @param property the full name of the setting */
    public InvalidSettingException(String property, String complaint) {
        super(
                "Setting " + property + ": " + complaint,
                "Change " + property
                        + " or the setting or bean that it does not fit, or remove it to use its default.");
    }

    /**
     * Returns what is made of settings, and names the setting if that is refused: the message of an
     * {@link IllegalArgumentException} begins with the name of the value.
     *
     * @param prefix the beginning of the settings' names
     */
    public static <S> S named(String prefix, Supplier<S> made) {
        return named(value -> prefix + value, made);
    }

    /**
     * Returns what is made of settings, and names the setting if that is refused.
     *
     * @param property gives the name of the setting of a value
     */
    public static <S> S named(UnaryOperator<String> property, Supplier<S> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            int end = message.indexOf(' ');
            String value = end < 0 ? message : message.substring(0, end);
            InvalidSettingException refusal =
                    new InvalidSettingException(property.apply(DataObjectPropertyName.toDashedForm(value)), message);
            refusal.initCause(invalid);
            throw refusal;
        }
    }
}
