package io.idem.internal.method;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Reads fields and calls methods of libraries that have no accessor for them. A {@link NullPointerException} names what a version of the
 * library lacks.
 */
public final class HiddenMembers {

    private HiddenMembers() {}

    /** Returns the value of a field, which may be inherited. */
    public static @Nullable Object read(Object of, String name) {
        Field field = Objects.requireNonNull(
                ReflectionUtils.findField(of.getClass(), name), () -> unsupported(of, "field " + name));
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, of);
    }

    /** Returns what a method without parameters returns. */
    public static @Nullable Object ask(Object of, String name) {
        return ReflectionUtils.invokeMethod(method(of, name), of);
    }

    /** Returns a method, which may be inherited, ready to be called. */
    public static Method method(Object of, String name, Class<?>... parameters) {
        Method method = Objects.requireNonNull(
                ReflectionUtils.findMethod(of.getClass(), name, parameters), () -> unsupported(of, "method " + name));
        ReflectionUtils.makeAccessible(method);
        return method;
    }

    private static String unsupported(Object of, String member) {
        return "This version of a library is not supported: " + of.getClass() + " has no " + member;
    }
}
