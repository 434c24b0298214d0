package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;

/** The settings that have no effect, or a wrong one, where the inbox is the only store. */
final class OtherStoreSettings {

    private static final List<ConfigurationPropertyName> OTHER_STORES = List.of(
            ConfigurationPropertyName.of("idem.redis"),
            ConfigurationPropertyName.of("idem.postgresql"),
            ConfigurationPropertyName.of("idem.zookeeper"));

    private OtherStoreSettings() {}

    /**
     * Refuses the first such setting.
     *
     * @throws ConfigurationException names the setting
     */
    static void refuse(Environment environment) {
        ofOtherStore(environment).ifPresent(name -> {
            throw refused(name, "is about a store that idem.store=inbox does not have");
        });
        refuseIf(
                environment,
                "idem.cache.enabled",
                true,
                "keeps copies of what a store answered, and with idem.store=inbox duplicates find their rows");
        refuseIf(
                environment,
                "idem.jdbc.enabled",
                false,
                "is set to false, and idem.store=inbox leaves all work to the inbox");
    }

    private static Optional<String> ofOtherStore(Environment environment) {
        return StreamSupport.stream(sources(environment).spliterator(), false)
                .filter(IterableConfigurationPropertySource.class::isInstance)
                .map(IterableConfigurationPropertySource.class::cast)
                .flatMap(OtherStoreSettings::ofOtherStore)
                .map(ConfigurationPropertyName::toString)
                .sorted()
                .findFirst();
    }

    private static Stream<ConfigurationPropertyName> ofOtherStore(IterableConfigurationPropertySource source) {
        return source.stream()
                .filter(name -> OTHER_STORES.stream().anyMatch(store -> store.isAncestorOf(name)))
                .filter(name -> !ServiceLinks.contain(source, name));
    }

    private static Iterable<ConfigurationPropertySource> sources(Environment environment) {
        return ConfigurationPropertySources.from(((ConfigurableEnvironment) environment).getPropertySources());
    }

    private static void refuseIf(Environment environment, String name, boolean wrong, String why) {
        Boolean set = environment.getProperty(name, Boolean.class);
        if (set != null && set == wrong) {
            throw refused(name, why);
        }
    }

    private static ConfigurationException refused(String name, String why) {
        return new ConfigurationException(
                "Setting " + name + " " + why, "Remove " + name + ", or choose another idem.store.");
    }
}
