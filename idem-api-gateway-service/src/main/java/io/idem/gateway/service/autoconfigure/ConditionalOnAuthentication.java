package io.idem.gateway.service.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if callers authenticate in one of the given ways. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(ConditionalOnAuthentication.OnAuthentication.class)
@interface ConditionalOnAuthentication {

    /** Returns the ways to authenticate. */
    Authentication[] value();

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
}
