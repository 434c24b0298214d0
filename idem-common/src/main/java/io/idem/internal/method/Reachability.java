package io.idem.internal.method;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.core.KotlinDetector;

/** Start-up check that a proxy can override an annotated method: one that it cannot override would run unguarded. */
public final class Reachability {

    private Reachability() {}

    /**
     * Checks a method.
     *
     * @param type the class of the bean
     * @throws RuntimeException of {@code refusals} if no proxy can override it
     */
    public static void check(Class<?> type, Method method, Refusals refusals) {
        boolean kotlin = KotlinDetector.isKotlinType(type);
        int modifiers = method.getModifiers();
        StartRefusal refusal = refusals.of(method);
        refusal.refuseIf(
                Modifier.isFinal(type.getModifiers()),
                "is in a final class, which no proxy can guard",
                kotlin
                        ? "Make the class and its listener functions open, or let the compiler plugin kotlin-spring do it"
                        : "Remove final from " + type.getName());
        refusal.refuseIf(Modifier.isPrivate(modifiers), "is private, so that no proxy can guard it", "Remove private");
        refusal.refuseIf(
                Modifier.isFinal(modifiers),
                "is final, so that no proxy can guard it",
                kotlin ? "Make it open" : "Remove final");
        refusal.refuseIf(Modifier.isStatic(modifiers), "is static, so that no proxy can guard it", "Remove static");
        refusal.refuseIf(
                !isVisible(method, type),
                "is package-private in a class of another package or class loader than " + type.getName()
                        + ", whose proxy cannot override it",
                "Make it protected or public");
    }

    /** Returns whether a class that is defined beside another one, as proxies are, can override a method. */
    public static boolean isVisible(Method method, Class<?> from) {
        return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
                || (from.getPackageName().equals(method.getDeclaringClass().getPackageName())
                        && from.getClassLoader() == method.getDeclaringClass().getClassLoader());
    }
}
