package io.idem.packaging;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;

/** How values of a setting are arranged, and what one of them is. */
record Shape(Kind kind, Class<?> element) {

    enum Kind {
        /** A single value. */
        ONE(""),
        /** A list. */
        LIST("[]"),
        /** A map from texts. */
        BY_NAME(".<name>");

        /** What stands between the name of the setting and that of a part of one value. */
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
        return new Shape(Kind.ONE, (Class<?>) type);
    }
}
