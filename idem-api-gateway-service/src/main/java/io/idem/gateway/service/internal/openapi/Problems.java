package io.idem.gateway.service.internal.openapi;

import io.idem.http.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import tools.jackson.databind.JsonNode;

/** The refusals of an operation, by their status. */
record Problems(List<Problem> all, MediaType mediaType) {

    private static final int UNAUTHORIZED = 401;
    private static final Set<Integer> TO_BE_TRIED_LATER = Set.of(409, 429, 503);

    /** Returns the responses, by status. */
    Map<String, JsonNode> responses(Predicate<Problem> possible) {
        Map<String, JsonNode> responses = new TreeMap<>();
        all.stream()
                .filter(possible)
                .collect(Collectors.groupingBy(Problem::status))
                .forEach((status, problems) -> responses.put(Integer.toString(status), response(status, problems)));
        return responses;
    }

    private JsonNode response(int status, List<Problem> problems) {
        return Part.named("refusal")
                .with("told", problems.stream().map(Problems::told).collect(Collectors.joining("\n", "", "\n")))
                .with(
                        "retryAfter",
                        Optional.of(HttpHeaders.RETRY_AFTER).filter(any -> TO_BE_TRIED_LATER.contains(status)))
                .with("authenticate", Optional.of(HttpHeaders.WWW_AUTHENTICATE).filter(any -> status == UNAUTHORIZED))
                .with("mediaType", mediaType.toString())
                .with("content", content(problems))
                .json();
    }

    private static String told(Problem problem) {
        return "- `" + problem.type() + "`: " + problem.title() + "; retry with the same key: "
                + (problem.retryWithSameKey() ? "yes" : "no");
    }

    /** Returns the content of a refusal, without a schema if the application uses an envelope of its own. */
    private Object content(List<Problem> problems) {
        return mediaType.equals(MediaType.APPLICATION_PROBLEM_JSON)
                ? Part.named("problem")
                        .with("types", problems.stream().map(Problem::type).toList())
                        .json()
                : Map.of();
    }
}
