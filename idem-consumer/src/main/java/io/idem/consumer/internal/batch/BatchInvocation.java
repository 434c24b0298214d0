package io.idem.consumer.internal.batch;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Invocation of a batch listener without arguments, for reading the keys of single messages before the method is
 * called.
 */
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
