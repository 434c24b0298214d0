package io.idem.internal.spring;

import io.idem.ConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Reports what is wrong and its remedy. Ordered before the analyzer of bind failures, which would name only the record. */
@Order(Ordered.HIGHEST_PRECEDENCE)
public final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
        return new FailureAnalysis(sentence(cause.problem()), sentence(cause.action()), cause);
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
