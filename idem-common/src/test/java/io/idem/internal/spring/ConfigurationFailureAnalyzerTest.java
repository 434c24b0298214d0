package io.idem.internal.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.idem.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

class ConfigurationFailureAnalyzerTest {

    @Test
    void springBootReportsTheProblemAndTheRemedyAsSentences() {
        FailureAnalyzer registered = SpringFactoriesLoader.forDefaultResourceLocation()
                .load(FailureAnalyzer.class, FailureHandler.handleMessage((othersNeedAContext, why) -> {}))
                .stream()
                .filter(ConfigurationFailureAnalyzer.class::isInstance)
                .findFirst()
                .orElseThrow();

        FailureAnalysis analysis = requireNonNull(registered.analyze(new IllegalStateException(
                new ConfigurationException("Setting idem.some is wrong", "Correct it. Or remove it."))));

        assertThat(analysis.getDescription()).isEqualTo("Setting idem.some is wrong.");
        assertThat(analysis.getAction()).isEqualTo("Correct it. Or remove it.");
    }
}
