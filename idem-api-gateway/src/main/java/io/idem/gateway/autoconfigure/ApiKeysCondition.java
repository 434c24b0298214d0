package io.idem.gateway.autoconfigure;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the intake authenticates, read in every spelling that the setting may have: one that is not understood must not turn it off. */
final class ApiKeysCondition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Binder.get(context.getEnvironment())
                .bind("idem.gateway.authentication", Authentication.class)
                .map(authentication -> authentication == Authentication.API_KEY)
                .orElse(true);
    }
}
