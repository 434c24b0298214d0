package io.idem.autoconfigure;

import io.idem.ConfigurationException;

/** Thrown for a setting that is wrong by itself or does not fit another one. */
final class InvalidSettingException extends ConfigurationException {

    /** @param property the full name of the setting */
    InvalidSettingException(String property, String complaint) {
        super(
                "Setting " + property + ": " + complaint,
                "Change " + property
                        + " or the setting or bean that it does not fit, or remove it to use its default.");
    }
}
