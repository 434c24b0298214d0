package io.idem.consumer.internal.definition;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import org.springframework.core.KotlinDetector;

/** The type of the value with which a listener method ends, at its return or later. */
public final class ReturnedType {

    private ReturnedType() {}

    public static Type of(Method method) {
        if (KotlinDetector.isSuspendingFunction(method)) {
            Type[] parameters = method.getGenericParameterTypes();
            return argument(parameters[parameters.length - 1]);
        }
        Type declared = method.getGenericReturnType();
        return StageForm.of(method).isPresent() ? argument(declared) : declared;
    }

    private static Type argument(Type generic) {
        return generic instanceof ParameterizedType parameterized
                ? bound(parameterized.getActualTypeArguments()[0])
                : Object.class;
    }

    /** Kotlin declares the value of a continuation by its lower bound. */
    private static Type bound(Type argument) {
        if (!(argument instanceof WildcardType wildcard)) {
            return argument;
        }
        return wildcard.getLowerBounds().length > 0 ? wildcard.getLowerBounds()[0] : wildcard.getUpperBounds()[0];
    }
}
