package io.idem.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.springframework.http.ProblemDetail;

/**
 * One occurrence of a problem.
 *
 * @param problem its kind
 * @param detail what the client should know and do, in this occurrence; carries nothing that another tenant may not see
 * @param retryAfter when to try again, if that is known
 */
public record Refusal(Problem problem, String detail, Optional<Duration> retryAfter) {

    /** Name of the machine-readable member that says whether to retry with the same key. */
    public static final String RETRY_WITH_SAME_KEY = "retryWithSameKey";

    /** A refusal without a time for another try. */
    public static Refusal of(Problem problem, String detail) {
        return new Refusal(problem, detail, Optional.empty());
    }

    /** The same, to be tried again after a pause. */
    public Refusal retryAfter(Duration pause) {
        return new Refusal(problem, detail, Optional.of(pause));
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
        detailed.setProperty(RETRY_WITH_SAME_KEY, problem.retryWithSameKey());
        return detailed;
    }
}
