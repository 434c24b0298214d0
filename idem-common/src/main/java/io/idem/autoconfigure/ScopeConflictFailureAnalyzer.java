package io.idem.autoconfigure;

import io.idem.operations.ScopeConflictException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

final class ScopeConflictFailureAnalyzer extends AbstractFailureAnalyzer<ScopeConflictException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, ScopeConflictException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Rename scope \"" + cause.scope()
                        + "\" at one of the two. A new name starts without memory, so rename the"
                        + " participant that has processed less.",
                cause);
    }
}
