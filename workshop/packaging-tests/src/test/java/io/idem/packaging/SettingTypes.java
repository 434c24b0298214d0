package io.idem.packaging;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

/** The records that settings are bound to, including those in lists and maps. */
final class SettingTypes {

    private final Set<Class<?>> found = new LinkedHashSet<>();

    private SettingTypes() {}

    /** Returns the record and all records inside of it. */
    static Set<Class<?>> of(Class<?> root) {
        SettingTypes types = new SettingTypes();
        types.add(root);
        return types.found;
    }

    private void add(Class<?> type) {
        if (type.isRecord() && type.getName().startsWith("io.idem.") && found.add(type)) {
            Arrays.stream(type.getRecordComponents())
                    .map(RecordComponent::getGenericType)
                    .flatMap(SettingTypes::classes)
                    .forEach(this::add);
        }
    }

    private static Stream<Class<?>> classes(Type type) {
        if (type instanceof Class<?> one) {
            return Stream.of(one);
        }
        if (type instanceof WildcardType any) {
            return Arrays.stream(any.getUpperBounds()).flatMap(SettingTypes::classes);
        }
        return type instanceof ParameterizedType generic
                ? Arrays.stream(generic.getActualTypeArguments()).flatMap(SettingTypes::classes)
                : Stream.empty();
    }
}
