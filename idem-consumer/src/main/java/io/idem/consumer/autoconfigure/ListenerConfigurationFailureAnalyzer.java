package io.idem.consumer.autoconfigure;

import io.idem.consumer.ListenerConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a {@link ListenerConfigurationException} at start-up, with its remedy. */
final class ListenerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ListenerConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ListenerConfigurationException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.action() + ".", cause);
    }
}
