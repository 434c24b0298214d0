package io.idem.gateway.service.internal.openapi;

import io.idem.gateway.internal.intake.GatewayProblem;
import io.idem.http.HttpProblem;
import io.idem.http.Problem;
import io.idem.http.outcome.WaitPreference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

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
                Json.object(
                        "description",
                        "How far it is, at the intake and at each consumer.",
                        "headers",
                        intake.longestWait().map(longest -> Json.object(WaitPreference.APPLIED, appliedWait())),
                        "content",
                        Json.object("application/json", Json.object("schema", Json.reference("schemas", SCHEMA)))));
        return Json.object(
                "operationId",
                id,
                "summary",
                summary,
                "parameters",
                Stream.concat(Stream.of(key), intake.longestWait().stream().map(StatusOperation::waitingAtMost))
                        .toList(),
                "responses",
                responses,
                "security",
                intake.credentials().isEmpty() ? List.of() : List.of(Json.object(Credentials.SCHEME, List.of())));
    }

    private static Map<String, Object> appliedWait() {
        return Json.object(
                "description",
                "`wait=` and the seconds that were granted, if the client waited.",
                "schema",
                Json.object("type", "string"));
    }

    /** Returns the header by which a client waits for consumers (RFC 7240). */
    private static Map<String, Object> waitingAtMost(Duration longest) {
        return Json.object(
                "name",
                WaitPreference.HEADER,
                "in",
                "header",
                "required",
                false,
                "description",
                "`wait=5` waits up to five seconds for the consumers' outcome; at most " + longest.toSeconds()
                        + " s are granted.",
                "schema",
                Json.object("type", "string"));
    }
}
