package io.idem.gateway.autoconfigure;

import io.idem.ConfigurationException;
import java.util.function.Supplier;

/** The name of a setting, for error messages about its value. */
record SettingName(String name) {

    /** Returns the name of a setting within this one. */
    SettingName dot(String part) {
        return new SettingName(name + "." + part);
    }

    ConfigurationException invalid(String complaint, String action) {
        return new ConfigurationException("Setting " + name + " " + complaint, action);
    }

    /**
     * Returns the value that {@code part} makes of the setting, and names the setting if it throws an
     * {@code IllegalArgumentException}.
     */
    <T> T checked(Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException invalid) {
            throw new ConfigurationException(
                    "Setting " + name + " is not usable: " + invalid.getMessage(), "Correct it", invalid);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
