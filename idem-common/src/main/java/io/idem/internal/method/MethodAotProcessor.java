package io.idem.internal.method;

import io.idem.Idempotent;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Checks {@link Idempotent} methods already when an application is processed ahead of time, and keeps in a native image the types that their
 * expressions and results need.
 */
final class MethodAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        MethodShape.check(type);
        Set<Method> methods = MethodShape.methods(type);
        return methods.isEmpty()
                ? null
                : (generation, code) ->
                        MethodHints.register(generation.getRuntimeHints().reflection(), methods, Idempotent.class);
    }
}
