package io.idem.consumer.internal.definition;

import io.idem.ResultPolicy;
import io.idem.consumer.IdempotentListener;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges results by {@link IdempotentListener#rejectIf()} and {@link IdempotentListener#retryIf()}. An expression that
 * fails is a failure of the work only where that rolls it back; elsewhere the work may be committed, and stays done.
 *
 * @param rollsBack whether the work runs inside an inbox
 */
record ResultExpressions(
        @Nullable ResultExpression reject, @Nullable ResultExpression retry, boolean rollsBack)
        implements ResultPolicy {

    private static final Logger LOG = LoggerFactory.getLogger(ResultExpressions.class);

    @Override
    public Judgement judge(@Nullable Object value) {
        if (holds(reject, value)) {
            return Judgement.REJECT;
        }
        return holds(retry, value) ? Judgement.RETRY : Judgement.DONE;
    }

    /** SpEL passes on unchanged the exceptions of the methods that it calls. */
    private boolean holds(@Nullable ResultExpression expression, @Nullable Object value) {
        if (expression == null) {
            return false;
        }
        try {
            return expression.holdsFor(value);
        } catch (RuntimeException failed) {
            if (rollsBack) {
                throw failed;
            }
            LOG.error("Result expression \"{}\" failed; the work counts as done", expression, failed);
            return false;
        }
    }
}
