package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.RouteDescription;
import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.internal.intake.JsonObjectCheck;
import io.idem.gateway.service.schema.JsonSchemaCheck;
import io.idem.http.HttpProblem;
import io.idem.http.KeyRules;
import io.idem.http.Problem;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.ReplayMarker;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/**
 * The operation of one route.
 *
 * @param schemaName the name of the schema of its bodies among the components
 */
record RouteOperation(DescribedIntake intake, DescribedRoute described, String schemaName) {

    private static final Set<Problem> OF_JSON =
            Set.copyOf(EnumSet.of(GatewayProblem.BODY_NOT_JSON_OBJECT, GatewayProblem.MEDIA_TYPE_UNSUPPORTED));

    /** Problems of routes whose key comes from the request, of which an intake has none. */
    private static final Set<Problem> OF_BROUGHT_KEYS =
            Set.copyOf(EnumSet.of(HttpProblem.SIGNATURE_INVALID, HttpProblem.DELIVERY_IN_PROGRESS));

    JsonNode describe(PathTemplate path) {
        return Part.named("route")
                .with("id", said().operationId())
                .with("summary", said().summary())
                .with("text", said().text())
                .with(
                        "parameters",
                        Stream.concat(
                                        Stream.of(key()),
                                        path.variables().stream().map(PathTemplate.Variable::parameter))
                                .toList())
                .with("bytes", options().maxRequestBody())
                .with("mediaType", takesJson() ? MediaType.APPLICATION_JSON_VALUE : MediaType.ALL_VALUE)
                .with("schema", schema())
                .with("responses", responses())
                .with("security", described.open() ? List.of() : intake.security(said().scopes()))
                .with("retention", options().policy().retention().toString())
                .with("waitFor", options().waitFor().toString())
                .json();
    }

    private RouteDescription said() {
        return described.route().description();
    }

    private RouteOptions options() {
        return described.options();
    }

    private JsonNode key() {
        KeyRules rules = options().keyRules();
        return Part.named("key")
                .with("header", intake.parts().keyHeader())
                .with("required", options().required())
                .with("min", rules.minLength())
                .with("max", rules.maxLength())
                .with(
                        "missing",
                        options().required() ? "" : Part.named("KEY_MISSING").json())
                .with(
                        "pattern",
                        Part.named(rules.format() == KeyRules.Format.UUID ? "UUID_KEY" : "ANY_KEY")
                                .json())
                .json();
    }

    private Optional<?> schema() {
        return schemaCheck().isPresent()
                ? Optional.of(Map.of("$ref", "#/components/schemas/" + schemaName))
                : Optional.of(Map.of("type", "object")).filter(any -> takesJson());
    }

    private boolean takesJson() {
        return options().check() instanceof JsonObjectCheck || schemaCheck().isPresent();
    }

    Optional<JsonSchemaCheck> schemaCheck() {
        RequestCheck check = options().check();
        return check instanceof JsonSchemaCheck schema ? Optional.of(schema) : Optional.empty();
    }

    private Map<String, JsonNode> responses() {
        Map<String, JsonNode> responses = new Problems(intake.problems(), intake.errors()).responses(this::possible);
        Optional<RouteDescription.Answer> answer = said().answer();
        responses.put(
                answer.map(given -> Integer.toString(given.status())).orElse("2XX"),
                Part.named("taken")
                        .with("marker", intake.parts().marker().name())
                        .with("replayed", ReplayMarker.VALUE)
                        .with(
                                "location",
                                answer.filter(RouteDescription.Answer::location).map(given -> HttpHeaders.LOCATION))
                        .with("retention", intake.parts().reports().retentionHeader())
                        .with(
                                "key",
                                Optional.of(intake.parts().keyHeader())
                                        .filter(any -> !options().required()))
                        .with(
                                "content",
                                answer.flatMap(RouteDescription.Answer::example).map(RouteOperation::example))
                        .json());
        return responses;
    }

    private boolean possible(Problem problem) {
        return problem != GatewayProblem.OPERATION_UNKNOWN
                && problem != GatewayProblem.METHOD_NOT_ALLOWED
                && (problem != HttpProblem.KEY_MISSING || options().required())
                && !OF_BROUGHT_KEYS.contains(problem)
                && (problem != GatewayProblem.BODY_SCHEMA_VIOLATED
                        || schemaCheck().isPresent())
                && (takesJson() || !OF_JSON.contains(problem));
    }

    private static Object example(String json) {
        return Map.of(MediaType.APPLICATION_JSON_VALUE, Map.of("example", Part.JSON.readTree(json)));
    }
}
