package io.idem.http.internal.admission;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.util.ReflectionUtils;

/**
 * Replaces the functions in a router by others that call them, inside the router's own filters. Spring's routers of both stacks are made of
 * their fields, in this order; none of them is public, and a test fails if that changes.
 *
 * @param routers Spring's class around its routers
 * @param router interface of routers
 * @param function interface of functions
 * @param replacing returns the function in place of another
 * @param replacingOwn returns the router in place of one of the application's own class
 */
public record RouterParts(
        Class<?> routers,
        Class<?> router,
        Class<?> function,
        UnaryOperator<Object> replacing,
        UnaryOperator<Object> replacingOwn) {

    private static final String FIELD = "routerFunction";

    /** Replaces the functions in the router of a {@code RouterFunctionMapping}. */
    public void replaceIn(Object mapping) {
        DirectFieldAccessor fields = new DirectFieldAccessor(mapping);
        fields.setPropertyValue(FIELD, replaced(fields.getPropertyValue(FIELD)));
    }

    private @Nullable Object replaced(@Nullable Object part) {
        if (function.isInstance(part)) {
            return replacing.apply(part);
        }
        if (part instanceof List<?> parts) {
            return parts.stream().map(this::replaced).toList();
        }
        if (!router.isInstance(part)) {
            return part;
        }
        Class<?> around = part.getClass().getEnclosingClass();
        if (around == null || around.getPackage() != routers.getPackage()) {
            return replacingOwn.apply(part);
        }
        Constructor<?> constructor = part.getClass().getDeclaredConstructors()[0];
        return BeanUtils.instantiateClass(
                constructor,
                Stream.of(part.getClass().getDeclaredFields())
                        .filter(field -> !Modifier.isStatic(field.getModifiers()))
                        .map(field -> replaced(value(field, part)))
                        .toArray());
    }

    private static @Nullable Object value(Field field, Object of) {
        ReflectionUtils.makeAccessible(field);
        return ReflectionUtils.getField(field, of);
    }
}
