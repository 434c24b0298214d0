package io.idem.consumer.internal.guard;

import org.jspecify.annotations.Nullable;

/**
 * The version of a library that idem builds on, as its jar states it.
 *
 * @param text null where nothing states it, as in a native image or a jar that several libraries were put into; then no
 *     version is too early
 */
public record LibraryVersion(@Nullable String text) {

    /**
     * Reads the version of the library that a type comes from.
     *
     * @param title the library's name in its own manifest; another name means that an application's jar holds the type
     */
    public static LibraryVersion of(Class<?> type, String title) {
        Package stated = type.getPackage();
        boolean own = title.equals(stated.getImplementationTitle());
        return new LibraryVersion(own ? stated.getImplementationVersion() : null);
    }

    /** Compares the numbers only: a milestone of a version counts as that version. */
    public boolean isBefore(int... first) {
        if (text == null) {
            return false;
        }
        String[] parts = text.split("[.-]", -1);
        for (int i = 0; i < first.length && i < parts.length; i++) {
            if (!parts[i].matches("\\d{1,9}")) {
                return false;
            }
            int difference = Integer.compare(Integer.parseInt(parts[i]), first[i]);
            if (difference != 0) {
                return difference < 0;
            }
        }
        return false;
    }
}
