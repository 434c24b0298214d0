package io.idem.engine;

import io.idem.IdempotencyContext.Binding;
import io.idem.ResultPolicy;
import io.idem.WorkResult;
import java.time.Duration;
import java.util.Optional;

/** Applies a scope's {@link ResultPolicy} to the value that the work returned. */
final class ResultJudge {

    private static final String REASON = "the work returned a value that its result policy rejects";

    private ResultJudge() {}

    /** Returns the result of work whose answer may be no result: a release then. */
    static <T> WorkResult<T> result(Attempt attempt, WorkResult<T> said) {
        return attempt.withoutResult() && said instanceof WorkResult.Complete<T>
                ? new WorkResult.Release<>(said.value(), Duration.ZERO, "its answer is no result")
                : said;
    }

    static <T> WorkResult<T> judge(Attempt attempt, WorkResult<T> result) {
        ResultPolicy policy = attempt.policy().results();
        if (!(result instanceof WorkResult.Complete<T>) || policy == ResultPolicy.ALL_DONE) {
            return result;
        }
        Object value = result.value() instanceof Optional<?> optional ? optional.orElse(null) : result.value();
        try (Binding unused = attempt.bind()) {
            return switch (policy.judge(value)) {
                case DONE -> result;
                case RETRY ->
                    new WorkResult.Release<>(
                            result.value(),
                            attempt.policy().backoff().after(attempt.attempt()),
                            "by its result policy");
                case REJECT -> new WorkResult.Reject<>(result.value(), REASON);
            };
        }
    }
}
