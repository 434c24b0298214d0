package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Describes an intake as OpenAPI 3.1. */
public final class IntakeDescription {

    private static final Set<Problem> OF_STATUS = Set.of(
            HttpProblem.KEY_MISSING,
            HttpProblem.KEY_MALFORMED,
            HttpProblem.TENANT_UNKNOWN,
            HttpProblem.STORE_UNAVAILABLE,
            HttpProblem.RECORD_UNREADABLE,
            GatewayProblem.UNAUTHENTICATED,
            GatewayProblem.AUTHENTICATION_UNAVAILABLE,
            GatewayProblem.TOO_MANY_REQUESTS,
            GatewayProblem.OVERLOADED,
            GatewayProblem.OPERATION_UNKNOWN);

    private final DescribedIntake intake;
    private final ObjectNode paths = Part.JSON.createObjectNode();
    private final ObjectNode schemas = (ObjectNode) Part.named("schemas").json();
    private final Set<String> names = new HashSet<>(schemas.propertyNames());

    private IntakeDescription(DescribedIntake intake) {
        this.intake = intake;
    }

    /** Returns the OpenAPI document. */
    public static ObjectNode of(DescribedIntake intake) {
        return new IntakeDescription(intake).document();
    }

    private ObjectNode document() {
        intake.routes().forEach(this::add);
        String byPath = PathTemplate.of(intake.operationsPath() + "/{key}").text();
        paths.withObjectProperty(intake.operationsPath()).set("get", status("statusByQuery"));
        paths.withObjectProperty(byPath).set("get", status("statusByPath"));
        return (ObjectNode) Part.named("document")
                .with("title", intake.title())
                .with("version", intake.version())
                .with("basePath", intake.basePath().isEmpty() ? "/" : intake.basePath())
                .with("paths", paths)
                .with("schemas", schemas)
                .with(
                        "schemes",
                        intake.credentials()
                                .map(kind ->
                                        Map.of("caller", Part.named(kind.name()).json())))
                .json();
    }

    /** Returns the operation that returns the status of another operation: of any key, or of keys that a path can contain. */
    private JsonNode status(String part) {
        Map<String, JsonNode> responses =
                new Problems(intake.problems(), intake.errors()).responses(OF_STATUS::contains);
        responses.put(
                "200",
                Part.named("status")
                        .with(
                                "headers",
                                intake.longestWait()
                                        .map(longest -> Part.named("applied").json()))
                        .json());
        return Part.named(part)
                .with(
                        "prefer",
                        intake.longestWait()
                                .map(longest -> Part.named("prefer")
                                        .with("seconds", longest.toSeconds())
                                        .json()))
                .with("responses", responses)
                .with("security", intake.security(List.of()))
                .json();
    }

    private void add(DescribedRoute described) {
        PathTemplate path = PathTemplate.of(described.route().path());
        String name = name(described, path);
        RouteOperation operation = new RouteOperation(intake, described, name);
        String method = described.route().method().name().toLowerCase(Locale.ROOT);
        paths.withObjectProperty(path.text()).set(method, operation.describe(path));
        operation.schemaCheck().ifPresent(check -> schemas.set(name, check.documentAt("#/components/schemas/" + name)));
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
