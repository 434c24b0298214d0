package io.idem.gateway.service.autoconfigure;

import java.util.Arrays;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Compares the setting with the values of {@link ConditionalOnAuthentication}. */
final class OnAuthentication implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        Authentication[] accepted = metadata.getAnnotations()
                .get(ConditionalOnAuthentication.class)
                .getEnumArray("value", Authentication.class);
        return Arrays.asList(accepted).contains(Authentication.in(context.getEnvironment()));
    }
}
