package io.idem.gateway;

import java.util.List;
import java.util.Optional;

/**
 * The description of a route in the intake's OpenAPI document, beyond what follows from its options. Immutable; start
 * with {@link #NONE} and refine.
 *
 * @param operationId the name of the operation, unique in the intake
 * @param summary the purpose, in a few words
 * @param text the purpose, in CommonMark
 * @param scopes the scopes that the caller's token must have
 * @param answer the answer to an accepted request
 */
public record RouteDescription(
        Optional<String> operationId,
        Optional<String> summary,
        Optional<String> text,
        List<String> scopes,
        Optional<Answer> answer) {

    /** The description of a route whose author gave no texts, scopes or answer. */
    public static final RouteDescription NONE =
            new RouteDescription(Optional.empty(), Optional.empty(), Optional.empty(), List.of(), Optional.empty());

    /** Copies the scopes. */
    public RouteDescription {
        scopes = List.copyOf(scopes);
    }

    /** Returns a copy with a name of the operation. */
    public RouteDescription withOperationId(String name) {
        return new RouteDescription(Optional.of(name), summary, text, scopes, answer);
    }

    /** Returns a copy with a summary. */
    public RouteDescription withSummary(String words) {
        return new RouteDescription(operationId, Optional.of(words), text, scopes, answer);
    }

    /** Returns a copy with an explanation in CommonMark. */
    public RouteDescription withText(String words) {
        return new RouteDescription(operationId, summary, Optional.of(words), scopes, answer);
    }

    /** Returns a copy with scopes that the caller's token must have. */
    public RouteDescription withScopes(List<String> needed) {
        return new RouteDescription(operationId, summary, text, needed, answer);
    }

    /** Returns a copy with an answer. */
    public RouteDescription withAnswer(Answer given) {
        return new RouteDescription(operationId, summary, text, scopes, Optional.of(given));
    }

    /**
     * The answer to an accepted request.
     *
     * @param status a status from 200 to 299
     * @param example an example of the body, in JSON
     * @param location whether the answer has a {@code Location}
     */
    public record Answer(int status, Optional<String> example, boolean location) {}
}
