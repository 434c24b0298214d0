package io.idem.autoconfigure;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConverterNotFoundException;

/** Reports a value where a group of settings is. Ordered before the analyzer of bind failures, which would name only a class. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class SettingGroupFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
        Class<?> group = cause.getTarget().getType().toClass();
        boolean ours = group.isRecord() && group.getName().startsWith("io.idem.");
        if (!ours || !(cause.getCause() instanceof ConverterNotFoundException)) {
            return null;
        }
        String settings = Arrays.stream(group.getRecordComponents())
                .map(part -> cause.getName() + "." + DataObjectPropertyName.toDashedForm(part.getName()))
                .collect(Collectors.joining(", "));
        return new FailureAnalysis(
                "Setting " + cause.getName()
                        + " has a value of its own, and is only the beginning of the names of others.",
                "Set one of " + settings + ". The name of a scope with dots is written in brackets, as in"
                        + " idem.scopes[http.shop].lease.",
                cause);
    }
}
