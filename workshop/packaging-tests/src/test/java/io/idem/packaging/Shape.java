package io.idem.packaging;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.Map;

/** The shape of a setting: a single value, a list or a map, and the type of an element. */
record Shape(Kind kind, Class<?> element) {

    enum Kind {
        ONE(""),
        LIST("[]"),
        /** A map with text keys. */
        BY_NAME(".<name>");

        /** The text between the name of the setting and that of a part of its element. */
        final String suffix;

        Kind(String suffix) {
            this.suffix = suffix;
        }
    }

    static Shape of(Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] arguments = generic.getActualTypeArguments();
            boolean list = Collection.class.isAssignableFrom((Class<?>) generic.getRawType());
            return new Shape(list ? Kind.LIST : Kind.BY_NAME, (Class<?>) arguments[arguments.length - 1]);
        }
        Class<?> one = (Class<?>) type;
        return Map.class.isAssignableFrom(one) ? new Shape(Kind.BY_NAME, String.class) : new Shape(Kind.ONE, one);
    }
}
