package io.idem.autoconfigure;

import io.idem.internal.RefusedSettingException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports a wrong setting and its remedy. Ordered before the analyzer of bind failures, which would name only the record. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RefusedSettingFailureAnalyzer extends AbstractFailureAnalyzer<RefusedSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RefusedSettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
