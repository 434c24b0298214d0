package io.idem.gateway.service.autoconfigure;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Conditional;

/** Matches if callers authenticate in one of the given ways. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Conditional(OnAuthentication.class)
@interface ConditionalOnAuthentication {

    /** Returns the ways to authenticate. */
    Authentication[] value();
}
