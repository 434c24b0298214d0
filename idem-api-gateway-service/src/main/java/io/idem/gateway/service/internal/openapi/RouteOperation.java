package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.RouteDescription;
import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.gateway.internal.intake.JsonObjectCheck;
import io.idem.gateway.service.schema.JsonSchemaCheck;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import io.idem.http.RequestCheck;
import io.idem.http.RouteOptions;
import io.idem.http.internal.admission.ReplayMarker;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operation of one route. */
final class RouteOperation {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private static final Set<Problem> OF_JSON =
            Set.copyOf(EnumSet.of(GatewayProblem.BODY_NOT_JSON_OBJECT, GatewayProblem.MEDIA_TYPE_UNSUPPORTED));

    /** Problems of routes whose key comes from the request, of which an intake has none. */
    private static final Set<Problem> OF_BROUGHT_KEYS =
            Set.copyOf(EnumSet.of(HttpProblem.SIGNATURE_INVALID, HttpProblem.DELIVERY_IN_PROGRESS));

    private final DescribedIntake intake;
    private final DescribedRoute described;
    private final RouteDescription said;
    private final RouteOptions options;
    private final String schemaName;

    /** @param schemaName the name of the schema of its bodies among the components */
    RouteOperation(DescribedIntake intake, DescribedRoute described, String schemaName) {
        this.intake = intake;
        this.described = described;
        this.said = described.route().description();
        this.options = described.options();
        this.schemaName = schemaName;
    }

    Map<String, Object> describe(PathTemplate path) {
        List<Object> parameters = new ArrayList<>();
        parameters.add(KeyParameter.of(intake.parts().keyHeader(), options));
        path.variables().forEach(variable -> parameters.add(variable.parameter()));
        return Json.object(
                "operationId",
                said.operationId(),
                "summary",
                said.summary(),
                "description",
                said.text(),
                "parameters",
                parameters,
                "requestBody",
                body(),
                "responses",
                responses(),
                "security",
                security(),
                "x-idempotency",
                idempotency());
    }

    private Map<String, Object> body() {
        String mediaType = takesJson() ? MediaType.APPLICATION_JSON_VALUE : MediaType.ALL_VALUE;
        Map<String, Object> content = schemaCheck().isPresent()
                ? Json.object("schema", Json.reference("schemas", schemaName))
                : takesJson() ? Json.object("schema", Json.object("type", "object")) : Json.object();
        return Json.object(
                "required",
                true,
                "description",
                "At most " + options.maxRequestBody() + " bytes.",
                "content",
                Json.object(mediaType, content));
    }

    private boolean takesJson() {
        return options.check() instanceof JsonObjectCheck || schemaCheck().isPresent();
    }

    Optional<JsonSchemaCheck> schemaCheck() {
        RequestCheck check = options.check();
        return check instanceof JsonSchemaCheck schema ? Optional.of(schema) : Optional.empty();
    }

    private Map<String, Object> responses() {
        Map<String, Object> responses = new Problems(intake.problems(), intake.errors()).responses(this::possible);
        Optional<RouteDescription.Answer> answer = said.answer();
        responses.put(
                answer.map(given -> Integer.toString(given.status())).orElse("2XX"),
                Json.object(
                        "description",
                        "Taken. A retry with the same key is answered with the same bytes.",
                        "headers",
                        headers(answer),
                        "content",
                        answer.flatMap(RouteDescription.Answer::example).map(RouteOperation::example)));
        return responses;
    }

    private boolean possible(Problem problem) {
        return problem != GatewayProblem.OPERATION_UNKNOWN
                && problem != GatewayProblem.METHOD_NOT_ALLOWED
                && (problem != HttpProblem.KEY_MISSING || options.required())
                && !OF_BROUGHT_KEYS.contains(problem)
                && (problem != GatewayProblem.BODY_SCHEMA_VIOLATED
                        || schemaCheck().isPresent())
                && (takesJson() || !OF_JSON.contains(problem));
    }

    private Map<String, Object> headers(Optional<RouteDescription.Answer> answer) {
        Map<String, Object> headers = Json.object(
                intake.parts().marker().name(),
                header("`" + ReplayMarker.VALUE + "` if the operation was done before."));
        answer.filter(RouteDescription.Answer::location)
                .ifPresent(given -> headers.put(HttpHeaders.LOCATION, header("Where to look further.")));
        intake.parts()
                .reports()
                .retentionHeader()
                .ifPresent(name -> headers.put(name, header("Seconds for which the answer is kept.")));
        if (!options.required()) {
            headers.put(intake.parts().keyHeader(), header("The key, if the request had none."));
        }
        return headers;
    }

    private static Map<String, Object> header(String description) {
        return Json.object("description", description, "schema", Json.object("type", "string"));
    }

    private static Map<String, Object> example(String json) {
        JsonNode value = JSON.readTree(json);
        return Json.object(MediaType.APPLICATION_JSON_VALUE, Json.object("example", value));
    }

    private List<Object> security() {
        return intake.credentials().isEmpty() || described.open()
                ? List.of()
                : List.of(Json.object(Credentials.SCHEME, said.scopes()));
    }

    private Map<String, Object> idempotency() {
        return Json.object(
                "retention",
                options.policy().retention().toString(),
                "waitFor",
                options.waitFor().toString(),
                "maxRequestBody",
                options.maxRequestBody());
    }
}
