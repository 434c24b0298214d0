package io.idem.gateway.service.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the intake authenticates by API keys. */
final class ApiKeysCondition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Authentication.in(context.getEnvironment()) == Authentication.API_KEY;
    }
}
