package io.idem.internal.spring;

import io.idem.ConfigurationException;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.StringUtils;

/** Thrown for a setting that is wrong by itself or does not fit another one. */
public final class InvalidSettingException extends ConfigurationException {

    /** The name of a value at the beginning of a complaint. Those of parsers begin with a capital or are one word. */
    private static final Pattern VALUE = Pattern.compile("^([a-z][A-Za-z.]*) ");

    /** @param property the full name of the setting */
    public InvalidSettingException(String property, String complaint) {
        super(
                "Setting " + property + ": " + complaint,
                "Change " + property
                        + " or the setting or bean that it does not fit, or remove it to use its default.");
    }

    /**
     * Returns what is made of settings, and names the setting if that is refused: the message of an
     * {@link IllegalArgumentException} begins with the name of the value. If it does not, the prefix is named.
     *
     * @param prefix the beginning of the settings' names
     */
    public static <S> S named(String prefix, Supplier<S> made) {
        return named(value -> prefix + value, made);
    }

    /**
     * Returns what is made of settings, and names the setting if that is refused.
     *
     * @param property gives the name of the setting of a value; of the empty string, if the message names none
     */
    public static <S> S named(UnaryOperator<String> property, Supplier<S> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException invalid) {
            String message = String.valueOf(invalid.getMessage());
            Matcher value = VALUE.matcher(message);
            String name = property.apply(value.find() ? DataObjectPropertyName.toDashedForm(value.group(1)) : "");
            InvalidSettingException refusal =
                    new InvalidSettingException(StringUtils.trimTrailingCharacter(name, '.'), message);
            refusal.initCause(invalid);
            throw refusal;
        }
    }
}
