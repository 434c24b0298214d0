package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The operation that returns the status of another operation. */
final class StatusOperation {

    /** The name of the schema among the components. */
    static final String SCHEMA = "OperationStatus";

    private static final Set<Problem> PROBLEMS = Set.of(
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

    private StatusOperation() {}

    /** Returns the operation that takes any key as a query parameter. */
    static Map<String, Object> byQuery(DescribedIntake intake) {
        return describe(
                intake,
                "operationStatus",
                "Tells how far an operation is",
                Json.object("name", "key", "in", "query", "required", true, "schema", Json.object("type", "string")));
    }

    /** Returns the operation for keys that a path can contain. */
    static Map<String, Object> byPath(DescribedIntake intake) {
        return describe(
                intake,
                "operationStatusByPath",
                "Tells how far an operation is whose key has no slash or other character that paths cannot have",
                new PathTemplate.Variable("key", Optional.empty()).parameter());
    }

    private static Map<String, Object> describe(
            DescribedIntake intake, String id, String summary, Map<String, Object> key) {
        Map<String, Object> responses = new Problems(intake.problems(), intake.errors()).responses(PROBLEMS::contains);
        responses.put(
                "200",
                response(
                        "How far it is, at the intake and at each consumer.",
                        intake.longestWait().isPresent()));
        List<Object> parameters = new ArrayList<>();
        parameters.add(key);
        intake.longestWait().ifPresent(longest -> parameters.add(WaitParameter.of(longest)));
        return Json.object(
                "operationId",
                id,
                "summary",
                summary,
                "parameters",
                parameters,
                "responses",
                responses,
                "security",
                intake.credentials().isEmpty() ? List.of() : List.of(Json.object(Credentials.SCHEME, List.of())));
    }

    /** Returns a response that contains the status. */
    static Map<String, Object> response(String description, boolean waitable) {
        return Json.object(
                "description",
                description,
                "headers",
                waitable ? Optional.of(WaitParameter.applied()) : Optional.empty(),
                "content",
                Json.object("application/json", Json.object("schema", Json.reference("schemas", SCHEMA))));
    }
}
