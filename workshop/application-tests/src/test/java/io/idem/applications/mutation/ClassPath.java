package io.idem.applications.mutation;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The classes on the class path of this JVM, read once for all class loaders. Thread-safe. */
final class ClassPath {

    private static final String CLASS = ".class";

    private final List<Path> entries;
    private final Map<String, Path> places = new LinkedHashMap<>();
    private final Map<Path, JarFile> jars = new ConcurrentHashMap<>();
    private final Map<String, byte[]> read = new ConcurrentHashMap<>();

    private ClassPath(List<Path> entries) {
        this.entries = entries;
        entries.forEach(this::index);
    }

    static ClassPath ofThisJvm() {
        return new ClassPath(Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(Files::exists)
                .toList());
    }

    private void index(Path entry) {
        if (Files.isDirectory(entry)) {
            try (Stream<Path> files = Files.walk(entry)) {
                files.map(file -> entry.relativize(file).toString().replace(File.separatorChar, '/'))
                        .forEach(file -> index(entry, file));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        } else {
            jar(entry).stream().forEach(file -> index(entry, file.getName()));
        }
    }

    private void index(Path entry, String file) {
        if (file.endsWith(CLASS) && !file.startsWith("META-INF/")) {
            places.putIfAbsent(file.substring(0, file.length() - CLASS.length()), entry);
        }
    }

    private JarFile jar(Path entry) {
        return jars.computeIfAbsent(entry, path -> {
            try {
                return new JarFile(path.toFile());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    List<Path> entries() {
        return entries;
    }

    /** Returns the internal names of all classes in the entries that match. */
    Stream<String> classes(Predicate<Path> of) {
        return places.entrySet().stream().filter(one -> of.test(one.getValue())).map(Map.Entry::getKey);
    }

    /** Returns the entry that has the class of an internal name; null if none has. */
    @Nullable Path place(String name) {
        return places.get(name);
    }

    /** Returns the class of an internal name; null if there is none. */
    byte @Nullable [] bytes(String name) {
        Path place = places.get(name);
        return place == null ? null : read.computeIfAbsent(name, unread -> read(place, unread + CLASS));
    }

    private byte[] read(Path entry, String file) {
        try (InputStream in = Files.isDirectory(entry)
                ? Files.newInputStream(entry.resolve(file))
                : jar(entry).getInputStream(jar(entry).getJarEntry(file))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static URL url(Path entry) {
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
