package io.idem.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The settings under {@code idem.http} in the compiled metadata. */
final class HttpSettings {

    private static final String PREFIX = "idem.http.";
    private static final String ROUTE = "io.idem.http.autoconfigure.IdemHttpProperties$Route";

    private HttpSettings() {}

    /** Returns the names without prefix, and the defaults of the settings that have one. */
    static Map<String, Optional<String>> metadata() {
        Map<String, Optional<String>> settings = new TreeMap<>();
        try {
            for (URL file : Collections.list(
                    HttpSettings.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
                read(file).get("properties").forEach(property -> add(settings, property));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return settings;
    }

    private static JsonNode read(URL file) throws IOException {
        try (InputStream content = file.openStream()) {
            return JsonMapper.shared().readTree(content);
        }
    }

    private static void add(Map<String, Optional<String>> settings, JsonNode property) {
        String name = property.get("name").asString();
        if (name.startsWith(PREFIX)) {
            settings.put(
                    name.substring(PREFIX.length()),
                    Optional.ofNullable(property.get("defaultValue"))
                            .filter(JsonNode::isValueNode)
                            .map(JsonNode::asString));
        }
    }

    /** Returns the names of the settings of a route, because metadata does not contain the elements of lists. */
    static Set<String> ofRoutes() {
        try {
            return Stream.of(Class.forName(ROUTE).getRecordComponents())
                    .map(RecordComponent::getName)
                    .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                    .collect(Collectors.toSet());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
