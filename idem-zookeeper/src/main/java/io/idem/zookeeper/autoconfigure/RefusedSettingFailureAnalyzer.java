package io.idem.zookeeper.autoconfigure;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports a wrong setting and its remedy. */
final class RefusedSettingFailureAnalyzer extends AbstractFailureAnalyzer<RefusedSettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RefusedSettingException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
