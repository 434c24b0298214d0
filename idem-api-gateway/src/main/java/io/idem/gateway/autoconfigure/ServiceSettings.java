package io.idem.gateway.autoconfigure;

import io.idem.ConfigurationException;
import io.idem.gateway.internal.intake.ScopedRoute;
import java.util.List;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.Environment;

/**
 * The settings that only {@code idem-api-gateway-service} applies. Without that module, a setting that guards the
 * intake must not be ignored.
 */
final class ServiceSettings {

    private static final List<ConfigurationPropertyName> NAMES =
            List.of("authentication", "api-keys", "operators", "open-paths", "limits", "openapi").stream()
                    .map(name -> ConfigurationPropertyName.of("idem.gateway." + name))
                    .toList();

    private ServiceSettings() {}

    /** Refuses to start an intake that has one of these settings but not the service. */
    static void requireNone(Environment environment, ScopedRoute.All scoped) {
        scoped.routes().forEach(route -> refuse(route.setting()));
        NAMES.stream().filter(name -> isSet(name, environment)).forEach(name -> refuse(name.toString()));
    }

    private static boolean isSet(ConfigurationPropertyName name, Environment environment) {
        return StreamSupport.stream(
                        ConfigurationPropertySources.get(environment).spliterator(), false)
                .anyMatch(source -> source.getConfigurationProperty(name) != null
                        || source.containsDescendantOf(name) == ConfigurationPropertyState.PRESENT);
    }

    private static void refuse(String setting) {
        throw new ConfigurationException(
                "Setting " + setting + " needs idem-api-gateway-service, which is not on the class path",
                "Add idem-api-gateway-service, or remove the setting");
    }
}
