package io.idem.gateway.openapi;

import io.idem.gateway.GatewayProblem;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import io.idem.spi.RecordState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The operation that tells how far another one is. */
final class StatusOperation {

    /** Name of the schema among the components. */
    static final String SCHEMA = "OperationStatus";

    private static final Set<Problem> PROBLEMS = Set.of(
            HttpProblem.KEY_MALFORMED,
            HttpProblem.TENANT_UNKNOWN,
            HttpProblem.STORE_UNAVAILABLE,
            HttpProblem.RECORD_UNREADABLE,
            GatewayProblem.UNAUTHENTICATED,
            GatewayProblem.AUTHENTICATION_UNAVAILABLE,
            GatewayProblem.OPERATION_UNKNOWN);

    private StatusOperation() {}

    static Map<String, Object> describe(DescribedIntake intake) {
        Map<String, Object> responses = new Problems(intake.problems(), intake.errors()).responses(PROBLEMS::contains);
        responses.put(
                "200",
                Json.object(
                        "description",
                        "How far it is, at the intake and at each consumer.",
                        "content",
                        Json.object("application/json", Json.object("schema", Json.reference("schemas", SCHEMA)))));
        return Json.object(
                "operationId",
                "operationStatus",
                "summary",
                "Tells how far an operation is",
                "parameters",
                List.of(new PathTemplate.Variable("key", Optional.empty()).parameter()),
                "responses",
                responses,
                "security",
                intake.credentials().isEmpty() ? List.of() : List.of(Json.object(Credentials.SCHEME, List.of())));
    }

    static Map<String, Object> schema() {
        Map<String, Object> text = Json.object("type", "string");
        List<String> states = Stream.of(RecordState.values())
                .filter(state -> state != RecordState.ABSENT)
                .map(Enum::name)
                .toList();
        Map<String, Object> participant = Json.object(
                "scope", text,
                "state", Json.object("enum", states),
                "attempts", Json.object("type", "integer"),
                "at", Json.object("type", "string", "format", "date-time"));
        return object(Json.object("key", text, "scopes", Json.object("type", "array", "items", object(participant))));
    }

    private static Map<String, Object> object(Map<String, Object> properties) {
        return Json.object("type", "object", "required", List.copyOf(properties.keySet()), "properties", properties);
    }
}
