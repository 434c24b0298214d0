package io.idem.gateway.service.internal.openapi;

import io.idem.http.Problem;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;

/** The refusals of an operation, by their status. */
record Problems(List<Problem> all, MediaType mediaType) {

    /** The name of the schema of problem details (RFC 9457) among the components. */
    static final String SCHEMA = "Problem";

    private static final int UNAUTHORIZED = 401;
    private static final Set<Integer> TO_BE_TRIED_LATER = Set.of(409, 429, 503);

    /** Returns the responses, by status. */
    Map<String, Object> responses(Predicate<Problem> possible) {
        Map<Integer, List<Problem>> byStatus = all.stream()
                .filter(possible)
                .collect(Collectors.groupingBy(Problem::status, TreeMap::new, Collectors.toList()));
        Map<String, Object> responses = new TreeMap<>();
        byStatus.forEach((status, problems) -> responses.put(Integer.toString(status), response(status, problems)));
        return responses;
    }

    private Map<String, Object> response(int status, List<Problem> problems) {
        return Json.object(
                "description",
                problems.stream().map(Problems::told).collect(Collectors.joining("\n", "", "\n")),
                "headers",
                headers(status),
                "content",
                Json.object(mediaType.toString(), content(problems)));
    }

    private static String told(Problem problem) {
        return "- `" + problem.type() + "`: " + problem.title() + "; retry with the same key: "
                + (problem.retryWithSameKey() ? "yes" : "no");
    }

    private static Map<String, Object> headers(int status) {
        Map<String, Object> headers = Json.object("Link", header("The page that explains the problem.", "string"));
        if (TO_BE_TRIED_LATER.contains(status)) {
            headers.put(HttpHeaders.RETRY_AFTER, header("Seconds to wait, where that is known.", "integer"));
        }
        if (status == UNAUTHORIZED) {
            headers.put(HttpHeaders.WWW_AUTHENTICATE, header("How to authenticate.", "string"));
        }
        return headers;
    }

    private static Map<String, Object> header(String description, String type) {
        return Json.object("description", description, "schema", Json.object("type", type));
    }

    /** Returns the content of a refusal, without a schema if the application uses an envelope of its own. */
    private Map<String, Object> content(List<Problem> problems) {
        if (!mediaType.equals(MediaType.APPLICATION_PROBLEM_JSON)) {
            return Map.of();
        }
        List<String> types = problems.stream().map(Problem::type).toList();
        return Json.object(
                "schema",
                Json.object(
                        "allOf",
                        List.of(
                                Json.reference("schemas", SCHEMA),
                                Json.object("properties", Json.object("type", Json.object("enum", types))))));
    }
}
