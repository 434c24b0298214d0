package io.idem.consumer.internal.guard;

import io.idem.consumer.IdempotentListener;
import io.idem.consumer.internal.definition.ListenerShape;
import io.idem.internal.method.MethodHints;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Checks idempotent listeners already when an application is processed ahead of time, and keeps in a native image the
 * types that key and result expressions read and stored results consist of: those of parameters and results.
 */
final class ListenerAotProcessor implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> methods = ListenerShape.methods(type);
        if (methods.isEmpty()) {
            return null;
        }
        ListenerShape.check(type);
        return (generation, code) ->
                MethodHints.register(generation.getRuntimeHints().reflection(), methods, IdempotentListener.class);
    }
}
