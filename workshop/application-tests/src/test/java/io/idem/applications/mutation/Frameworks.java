package io.idem.applications.mutation;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The libraries on the class path of this JVM, which are read once for all applications. Thread-safe.
 *
 * @param unchanged loads, for the applications of a transport, what knows nothing of a change
 */
record Frameworks(
        ClassPath path, FrameworkTypes types, Dependents dependents, Map<Transport, URLClassLoader> unchanged) {

    static Frameworks ofThisJvm() {
        ClassPath path = ClassPath.ofThisJvm();
        return new Frameworks(path, new FrameworkTypes(path), new Dependents(path), new ConcurrentHashMap<>());
    }

    /** Returns the part of the class path that the applications of a transport have. */
    Set<Path> entries(Transport transport) {
        return transport.entries(path.entries());
    }

    ClassLoader unchanged(Transport transport) {
        return unchanged.computeIfAbsent(
                transport, one -> new URLClassLoader(urls(entries(one)), ClassLoader.getPlatformClassLoader()));
    }

    static URL[] urls(Set<Path> entries) {
        return entries.stream().map(ClassPath::url).toArray(URL[]::new);
    }
}
