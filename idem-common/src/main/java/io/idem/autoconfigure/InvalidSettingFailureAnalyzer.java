package io.idem.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Names the invalid setting. Ordered before the analyzer of bind failures, which would name only the record. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSettingException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Change " + cause.property()
                        + " or the setting or bean that it does not fit, or remove it to use its default.",
                cause);
    }
}
