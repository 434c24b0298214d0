package io.idem.autoconfigure;

import io.idem.internal.method.MethodConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link MethodConfigurationException} at start-up, with its remedy. */
final class MethodConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<MethodConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, MethodConfigurationException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.action() + ".", cause);
    }
}
