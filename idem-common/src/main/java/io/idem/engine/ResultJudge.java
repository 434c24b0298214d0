package io.idem.engine;

import io.idem.ResultPolicy;
import io.idem.WorkResult;
import java.util.Optional;

/** Applies a scope's {@link ResultPolicy} to what the work says of itself. */
final class ResultJudge {

    private static final String REASON = "the work returned a value that its result policy rejects";

    private ResultJudge() {}

    static <T> WorkResult<T> judge(Attempt attempt, WorkResult<T> verdict) {
        ResultPolicy policy = attempt.policy().results();
        if (!(verdict instanceof WorkResult.Complete<T>) || policy == ResultPolicy.ALL_DONE) {
            return verdict;
        }
        Object value = verdict.value() instanceof Optional<?> optional ? optional.orElse(null) : verdict.value();
        return switch (policy.judge(value)) {
            case DONE -> verdict;
            case RETRY ->
                new WorkResult.Release<>(
                        verdict.value(), attempt.policy().backoff().after(attempt.attempt()));
            case REJECT -> new WorkResult.Reject<>(verdict.value(), REASON);
        };
    }
}
