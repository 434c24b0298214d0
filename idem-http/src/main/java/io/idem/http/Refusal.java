package io.idem.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ProblemDetail;

/**
 * The refusal of a request: an occurrence of a {@link Problem}. Immutable.
 *
 * @param problem kind of the refusal
 * @param detail explanation and advice for the client of this request; contains nothing that another tenant may not see
 * @param retryAfter pause until the next try, if it is known
 * @param members further members of the problem details by name, of JSON types; contain nothing that another tenant may not see
 */
public record Refusal(Problem problem, String detail, Optional<Duration> retryAfter, Map<String, Object> members) {

    /** Name of the member that says, for programs, whether to retry with the same key. */
    public static final String RETRY_WITH_SAME_KEY = "retryWithSameKey";

    /** Name of the member that repeats the last part of the type. */
    public static final String CODE = "code";

    public Refusal {
        members = Map.copyOf(members);
    }

    /** Creates a refusal without a pause and further members. */
    public static Refusal of(Problem problem, String detail) {
        return new Refusal(problem, detail, Optional.empty(), Map.of());
    }

    /** Returns this refusal with a pause until the next try. */
    public Refusal retryAfter(Duration pause) {
        return new Refusal(problem, detail, Optional.of(pause), members);
    }

    /** Returns this refusal with these further members in place of others. */
    public Refusal with(Map<String, Object> further) {
        return new Refusal(problem, detail, retryAfter, further);
    }

    /** Returns the pause in whole seconds for {@code Retry-After}: rounded up, at least 1. */
    public Optional<Long> retryAfterSeconds() {
        return retryAfter.map(pause -> Math.max(1, pause.plusMillis(999).toSeconds()));
    }

    /** Returns the problem details. */
    public ProblemDetail toProblemDetail() {
        ProblemDetail detailed = ProblemDetail.forStatus(problem.status());
        detailed.setType(URI.create(problem.type()));
        detailed.setTitle(problem.title());
        detailed.setDetail(detail);
        members.forEach(detailed::setProperty);
        detailed.setProperty(CODE, problem.slug());
        detailed.setProperty(RETRY_WITH_SAME_KEY, problem.retryWithSameKey());
        return detailed;
    }
}
