package io.idem.http.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class HttpConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<HttpConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, HttpConfigurationException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.remedy(), cause);
    }
}
