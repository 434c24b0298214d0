package io.idem.consumer.internal.batch;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Stands for the call of a batch listener while the keys of single messages are read: there are no arguments yet. */
record BatchInvocation(Method method) implements MethodInvocation {

    @Override
    public Method getMethod() {
        return method;
    }

    @Override
    public @Nullable Object[] getArguments() {
        return new Object[method.getParameterCount()];
    }

    @Override
    public @Nullable Object proceed() {
        throw new UnsupportedOperationException("A batch is called as a whole");
    }

    @Override
    public @Nullable Object getThis() {
        return null;
    }

    @Override
    public AccessibleObject getStaticPart() {
        return method;
    }
}
