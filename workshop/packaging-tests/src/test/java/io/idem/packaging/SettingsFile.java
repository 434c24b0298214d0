package io.idem.packaging;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.PropertiesPropertySourceLoader;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;

/** The settings in a snippet, read as Spring Boot reads those of an application. */
final class SettingsFile {

    /** The value for every secret that a page leaves to the environment: 32 bytes. */
    private static final String SECRET = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

    private final List<PropertySource<?>> documents;

    private SettingsFile(List<PropertySource<?>> documents) {
        this.documents = documents;
    }

    static SettingsFile of(Snippet snippet) {
        PropertySourceLoader loader = snippet.language().equals("yaml")
                ? new YamlPropertySourceLoader()
                : new PropertiesPropertySourceLoader();
        try {
            return new SettingsFile(loader.load(
                    snippet.toString(),
                    new ByteArrayResource(snippet.code().stripIndent().getBytes(StandardCharsets.UTF_8))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<String> names() {
        return documents.stream()
                .flatMap(document -> Stream.of(((EnumerablePropertySource<?>) document).getPropertyNames()))
                .toList();
    }

    /** Returns whether the settings are those of an application; other programs use the same file formats. */
    boolean isOfAnApplication() {
        return names().stream().anyMatch(name -> name.matches("(idem|spring|server|management|logging)\\..*"));
    }

    boolean hasBelow(String prefix) {
        return names().stream().anyMatch(name -> name.startsWith(prefix + "."));
    }

    /** Binds the settings to a class; fails where an application would not start. */
    void bindTo(String prefix, Class<?> type) {
        binder().bind(prefix, Bindable.of(type));
    }

    /** Binds the settings to a class; returns the settings below the prefix that the class does not have. */
    List<String> leftOver(String prefix, Class<?> type) {
        try {
            binder().bind(prefix, Bindable.of(type), new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
            return List.of();
        } catch (BindException failure) {
            if (failure.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
                return unbound.getUnboundProperties().stream()
                        .map(property -> property.getName().toString())
                        .toList();
            }
            throw failure;
        }
    }

    private Binder binder() {
        MutablePropertySources withSecrets = new MutablePropertySources();
        documents.forEach(withSecrets::addLast);
        withSecrets.addLast(new Secrets());
        return new Binder(
                ConfigurationPropertySources.from(documents), new PropertySourcesPlaceholdersResolver(withSecrets));
    }

    private static final class Secrets extends PropertySource<String> {

        Secrets() {
            super("secrets", SECRET);
        }

        @Override
        public @Nullable Object getProperty(String name) {
            return name.matches("[A-Z_]+") ? source : null;
        }
    }
}
