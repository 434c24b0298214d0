package io.idem.consumer.autoconfigure;

import io.idem.consumer.ListenerConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains listeners that cannot work. */
final class ListenerConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ListenerConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ListenerConfigurationException cause) {
        return new FailureAnalysis(cause.problem() + ".", cause.action() + ".", cause);
    }
}
