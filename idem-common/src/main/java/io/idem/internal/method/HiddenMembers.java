package io.idem.internal.method;

import io.idem.ConfigurationException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * Reads fields and calls methods of libraries that have no accessor for them. A {@link ConfigurationException} names what a
 * version of the library lacks.
 */
public final class HiddenMembers {

    private HiddenMembers() {}

    /** Returns the value of a field, which may be inherited. */
    public static @Nullable Object read(Object of, String name) {
        Field field = known(ReflectionUtils.findField(of.getClass(), name), of.getClass(), "field " + name);
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, of);
    }

    /** Returns what a method without parameters returns. */
    public static @Nullable Object ask(Object of, String name) {
        return ReflectionUtils.invokeMethod(method(of.getClass(), name), of);
    }

    /** Returns a method, which may be inherited, ready to be called. */
    public static Method method(Class<?> type, String name, Class<?>... parameters) {
        Method method = known(ReflectionUtils.findMethod(type, name, parameters), type, "method " + name);
        ReflectionUtils.makeAccessible(method);
        return method;
    }

    /**
     * Checks the methods by which a library calls a class of idem: those that it declares public or protected. If the library had
     * another name for one of them, it would call its own default method, and nothing would say so.
     */
    public static void checkOverrides(Class<?> type) {
        ReflectionUtils.doWithLocalMethods(type, method -> {
            boolean open = (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
            if (open
                    && !Modifier.isStatic(method.getModifiers())
                    && !method.isSynthetic()
                    && Stream.concat(Stream.of(type.getSuperclass()), Stream.of(type.getInterfaces()))
                            .allMatch(parent ->
                                    ReflectionUtils.findMethod(parent, method.getName(), method.getParameterTypes())
                                            == null)) {
                throw unsupported(type, "method to override: " + method);
            }
        });
    }

    /** Checks methods without parameters of an interface that a proxy of idem implements by their names. */
    public static void checkMethods(Class<?> type, String... names) {
        for (String name : names) {
            known(ReflectionUtils.findMethod(type, name), type, "method " + name);
        }
    }

    private static <T> T known(@Nullable T member, Class<?> type, String what) {
        if (member == null) {
            throw unsupported(type, what);
        }
        return member;
    }

    private static ConfigurationException unsupported(Class<?> type, String member) {
        return new ConfigurationException(
                "This version of a library is not supported: " + type + " has no " + member,
                "Use a version that idem names in its documentation");
    }
}
