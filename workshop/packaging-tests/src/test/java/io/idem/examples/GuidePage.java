package io.idem.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.ByteArrayResource;

/** A guide under docs, whose service is started with the settings and tables that stand there. */
public record GuidePage(String text) {

    private static final Pattern BLOCK = Pattern.compile("(?m)^```(\\w+)\n([\\s\\S]*?)^```$");

    /** The guide of that file name. */
    public static GuidePage of(String name) {
        try {
            return new GuidePage(Files.readString(Path.of("..", "..", "docs", name)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The section with that heading, for a service that stands there. */
    public GuidePage section(String heading) {
        String rest = text.substring(text.indexOf("\n## " + heading + "\n") + 1);
        int next = rest.indexOf("\n## ");
        return new GuidePage(next < 0 ? rest : rest.substring(0, next + 1));
    }

    /** The part before a heading, for a service that stands there. */
    public GuidePage before(String heading) {
        return new GuidePage(text.substring(0, text.indexOf(heading)));
    }

    /** Starts a service with the page's settings, but for those that are given as {@code name=value}. */
    public ConfigurableApplicationContext start(Class<?> service, String... others) {
        return run(WebApplicationType.NONE, service, Stream.of(others));
    }

    /** As above, with a server at a port of its own, which the environment names {@code local.server.port}. */
    public ConfigurableApplicationContext serve(Class<?> service, String... others) {
        return run(WebApplicationType.SERVLET, service, Stream.concat(Stream.of("server.port=0"), Stream.of(others)));
    }

    private ConfigurableApplicationContext run(WebApplicationType type, Class<?> service, Stream<String> others) {
        return new SpringApplicationBuilder(service)
                .web(type)
                .properties(settings())
                .run(others.map("--"::concat).toArray(String[]::new));
    }

    /** The statements of the page. */
    public List<String> tables() {
        return blocks("sql").toList();
    }

    /** Of the service that the page is about; those of its neighbours stand before. */
    private Properties settings() {
        return blocks("yaml")
                .reduce((neighbours, own) -> own)
                .map(GuidePage::settings)
                .orElseGet(Properties::new);
    }

    private static Properties settings(String yaml) {
        YamlPropertiesFactoryBean settings = new YamlPropertiesFactoryBean();
        settings.setResources(new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8)));
        return Objects.requireNonNull(settings.getObject());
    }

    private Stream<String> blocks(String language) {
        return BLOCK.matcher(text)
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2));
    }
}
