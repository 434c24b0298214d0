package io.idem.gateway;

import java.util.List;
import java.util.Optional;

/**
 * What a route says of itself beyond what follows from its options, for the intake's OpenAPI description. Immutable; start with
 * {@link #NONE} and refine.
 *
 * @param operationId names the operation, uniquely in the intake
 * @param summary what it does, in a few words
 * @param text what it does, in CommonMark
 * @param scopes that the caller's token must have
 * @param answer what is answered when it was taken
 */
public record RouteDescription(
        Optional<String> operationId,
        Optional<String> summary,
        Optional<String> text,
        List<String> scopes,
        Optional<Answer> answer) {

    /** Says nothing. */
    public static final RouteDescription NONE =
            new RouteDescription(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty());

    /** Copies the scopes. */
    public RouteDescription {
        scopes = List.copyOf(scopes);
    }

    /** The same under this name. */
    public RouteDescription withOperationId(String name) {
        return new RouteDescription(Optional.of(name), summary, text, scopes, answer);
    }

    /** The same with a summary. */
    public RouteDescription withSummary(String words) {
        return new RouteDescription(operationId, Optional.of(words), text, scopes, answer);
    }

    /** The same with an explanation, in CommonMark. */
    public RouteDescription withText(String words) {
        return new RouteDescription(operationId, summary, Optional.of(words), scopes, answer);
    }

    /** The same with scopes that a token must have. */
    public RouteDescription withScopes(List<String> needed) {
        return new RouteDescription(operationId, summary, text, needed, answer);
    }

    /** The same with an answer. */
    public RouteDescription withAnswer(Answer given) {
        return new RouteDescription(operationId, summary, text, scopes, Optional.of(given));
    }

    /**
     * The answer to a request that was taken.
     *
     * @param status 2xx
     * @param example JSON
     * @param location whether it has a {@code Location}
     */
    public record Answer(int status, Optional<String> example, boolean location) {}
}
