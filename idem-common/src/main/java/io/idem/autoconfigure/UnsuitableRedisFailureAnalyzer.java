package io.idem.autoconfigure;

import io.idem.redis.UnsuitableRedisException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class UnsuitableRedisFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableRedisException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnsuitableRedisException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                cause.remedy()
                        + " (idem.redis.url names one for idem alone)."
                        + cause.setting()
                                .map(setting -> " To accept it all the same, set " + setting + "=warn.")
                                .orElse(""),
                cause);
    }
}
