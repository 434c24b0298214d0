package io.idem.gateway.service.autoconfigure;

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether Spring Security's resource server authenticates the callers. */
final class OAuth2Condition implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        return Authentication.in(context.getEnvironment()) == Authentication.OAUTH2;
    }
}
