package io.idem.gateway.autoconfigure;

import io.idem.gateway.internal.intake.GatewayConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why an intake cannot start. */
final class GatewayConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<GatewayConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, GatewayConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage() + ".", cause.action() + ".", cause);
    }
}
