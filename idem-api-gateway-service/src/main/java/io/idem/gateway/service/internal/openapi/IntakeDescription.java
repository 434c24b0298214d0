package io.idem.gateway.service.internal.openapi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.core.io.ClassPathResource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Describes an intake as OpenAPI 3.1. */
public final class IntakeDescription {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final ClassPathResource SCHEMAS =
            new ClassPathResource("META-INF/idem/openapi/schemas.json", IntakeDescription.class.getClassLoader());

    private final DescribedIntake intake;
    private final Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
    private final Map<String, Object> schemas = new LinkedHashMap<>();
    private final Set<String> names = new HashSet<>();

    private IntakeDescription(DescribedIntake intake) {
        this.intake = intake;
    }

    /** Returns the OpenAPI document. */
    public static ObjectNode of(DescribedIntake intake) {
        return new IntakeDescription(intake).document();
    }

    private ObjectNode document() {
        answers().properties().forEach(schema -> schemas.put(schema.getKey(), schema.getValue()));
        names.addAll(schemas.keySet());
        intake.routes().forEach(this::add);
        operations(intake.operationsPath()).put("get", StatusOperation.byQuery(intake));
        operations(PathTemplate.of(intake.operationsPath() + "/{key}").text())
                .put("get", StatusOperation.byPath(intake));
        Map<String, Object> document = Json.object(
                "openapi",
                "3.1.0",
                "info",
                Json.object("title", intake.title(), "version", intake.version()),
                "servers",
                List.of(Json.object("url", intake.basePath().isEmpty() ? "/" : intake.basePath())),
                "paths",
                paths,
                "components",
                Json.object(
                        "schemas",
                        schemas,
                        "securitySchemes",
                        intake.credentials().map(IntakeDescription::schemes)));
        return JSON.valueToTree(document);
    }

    /** Returns the schemas of the bodies that every intake answers with. */
    private static JsonNode answers() {
        try {
            return JSON.readTree(SCHEMAS.getContentAsByteArray());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    private static Map<String, Object> schemes(Credentials credentials) {
        return Json.object(Credentials.SCHEME, credentials.scheme());
    }

    private void add(DescribedRoute described) {
        PathTemplate path = PathTemplate.of(described.route().path());
        String name = name(described, path);
        RouteOperation operation = new RouteOperation(intake, described, name);
        String method = described.route().method().name().toLowerCase(Locale.ROOT);
        operations(path.text()).put(method, operation.describe(path));
        operation.schemaCheck().ifPresent(check -> schemas.put(name, check.documentAt("#/components/schemas/" + name)));
    }

    private Map<String, Object> operations(String path) {
        return paths.computeIfAbsent(path, added -> new LinkedHashMap<>());
    }

    /** Returns the name of the schema, after the operation, with the characters that names of components may have. */
    private String name(DescribedRoute described, PathTemplate path) {
        String wanted = described
                .route()
                .description()
                .operationId()
                .orElse(described.route().method() + path.text());
        String plain = wanted.replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^-+|-+$", "");
        String name = plain;
        for (int number = 2; !names.add(name); number++) {
            name = plain + "-" + number;
        }
        return name;
    }
}
