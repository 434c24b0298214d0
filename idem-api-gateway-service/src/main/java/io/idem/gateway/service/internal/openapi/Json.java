package io.idem.gateway.service.internal.openapi;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Builds JSON objects. */
final class Json {

    private Json() {}

    /**
     * Returns an object whose members are in this order, without those whose value is an empty {@code Optional}.
     *
     * @param namesAndValues names and values in turn
     */
    static Map<String, Object> object(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            String name = (String) namesAndValues[i];
            present(namesAndValues[i + 1]).ifPresent(value -> object.put(name, value));
        }
        return object;
    }

    private static Optional<?> present(Object value) {
        return value instanceof Optional<?> optional ? optional : Optional.of(value);
    }

    static Map<String, Object> reference(String component, String name) {
        return object("$ref", "#/components/" + component + "/" + name);
    }
}
