package io.idem.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.ProblemDetail;

/**
 * One occurrence of a problem.
 *
 * @param problem its kind
 * @param detail what the client should know and do, in this occurrence; carries nothing that another tenant may not see
 * @param retryAfter when to try again, if that is known
 * @param members further members of the problem details by name, in JSON's types; none that another tenant may not see
 */
public record Refusal(Problem problem, String detail, Optional<Duration> retryAfter, Map<String, Object> members) {

    /** Name of the machine-readable member that says whether to retry with the same key. */
    public static final String RETRY_WITH_SAME_KEY = "retryWithSameKey";

    /** Name of the member that repeats the last part of the type, for clients that look there. */
    public static final String CODE = "code";

    /** Copies the members. */
    public Refusal {
        members = Map.copyOf(members);
    }

    /** A refusal without a time for another try. */
    public static Refusal of(Problem problem, String detail) {
        return new Refusal(problem, detail, Optional.empty(), Map.of());
    }

    /** The same, to be tried again after a pause. */
    public Refusal retryAfter(Duration pause) {
        return new Refusal(problem, detail, Optional.of(pause), members);
    }

    /** The same with these further members and no others. */
    public Refusal with(Map<String, Object> further) {
        return new Refusal(problem, detail, retryAfter, further);
    }

    /** The pause in whole seconds as {@code Retry-After} needs it: rounded up, at least 1. */
    public Optional<Long> retryAfterSeconds() {
        return retryAfter.map(pause -> Math.max(1, pause.plusMillis(999).toSeconds()));
    }

    /** As problem details. */
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
