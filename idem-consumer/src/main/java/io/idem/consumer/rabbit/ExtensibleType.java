package io.idem.consumer.rabbit;

import java.lang.reflect.Modifier;
import java.util.Arrays;

/**
 * Whether a proxy can be made by extending a class, so that whoever injects it by its class still can. Not of lambdas, of final
 * classes, as Kotlin's are unless they say otherwise, and of those whose constructors are all private, as a private class's is.
 */
final class ExtensibleType {

    private ExtensibleType() {}

    static boolean is(Class<?> type) {
        return !type.isHidden()
                && !Modifier.isFinal(type.getModifiers())
                && Arrays.stream(type.getDeclaredConstructors())
                        .anyMatch(constructor -> !Modifier.isPrivate(constructor.getModifiers()));
    }
}
