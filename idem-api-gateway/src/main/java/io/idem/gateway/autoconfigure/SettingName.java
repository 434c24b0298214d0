package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The name of a setting, for complaints about its value. */
record SettingName(String name) {

    /** The setting within this one. */
    SettingName dot(String part) {
        return new SettingName(name + "." + part);
    }

    GatewayConfigurationException invalid(String complaint, String action, @Nullable Throwable cause) {
        return new GatewayConfigurationException("Setting " + name + " " + complaint, action, cause);
    }

    /** What is made of its value; whoever makes it complains with an {@code IllegalArgumentException}. */
    <T> T checked(Supplier<T> part) {
        try {
            return part.get();
        } catch (IllegalArgumentException invalid) {
            throw invalid("is not usable: " + invalid.getMessage(), "Correct it", invalid);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
