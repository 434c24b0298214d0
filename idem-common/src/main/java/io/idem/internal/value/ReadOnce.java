package io.idem.internal.value;

import java.io.InputStream;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.stream.BaseStream;

/** Tells values that can be read once: written as a result, they would be used up before their caller gets them. */
public final class ReadOnce {

    private static final List<Class<?>> TYPES = List.of(
            BaseStream.class, Iterator.class, Spliterator.class, Enumeration.class, InputStream.class, Readable.class);

    private ReadOnce() {}

    /** Returns whether values of a type can be read once. */
    public static boolean is(Class<?> type) {
        return TYPES.stream().anyMatch(each -> each.isAssignableFrom(type));
    }
}
