package io.idem.applications.mutation;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Loads one application with everything that it depends on, of which one name of a framework is changed. Idem's own classes are as they
 * were compiled.
 */
final class MutatedLoader extends URLClassLoader {

    static final String APPLICATION = "io/idem/applications/mutation/app/";

    /** Classes that are loaded for each application even if nothing is changed. */
    private static final Pattern OWN = Pattern.compile("idem-.*|(test-)?classes");

    private final Set<Path> entries;
    private final ClassPath classes;
    private final Mutation mutation;
    private final Renaming renaming;
    private final Set<Path> changed;
    private final ClassLoader unchanged;
    private final Map<Path, Manifest> manifests = new ConcurrentHashMap<>();

    MutatedLoader(Frameworks frameworks, Row row) {
        super(Frameworks.urls(frameworks.entries(row.transport())), ClassLoader.getPlatformClassLoader());
        this.entries = frameworks.entries(row.transport());
        this.classes = frameworks.path();
        this.mutation = row.mutation();
        this.renaming = new Renaming(mutation, frameworks.types());
        this.changed = frameworks
                .dependents()
                .of(mutation.owners().stream().map(classes::place).collect(Collectors.toSet()));
        this.unchanged = frameworks.unchanged(row.transport());
    }

    Mutation mutation() {
        return mutation;
    }

    static boolean isOfIdem(String name) {
        return name.startsWith("io/idem/") && !name.startsWith(APPLICATION);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        return isUnchanged(name.replace('.', '/')) ? unchanged.loadClass(name) : super.loadClass(name, resolve);
    }

    private boolean isUnchanged(String type) {
        Path place = classes.place(type);
        return place != null
                && entries.contains(place)
                && !changed.contains(place)
                && !OWN.matcher(place.getFileName().toString()).matches();
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String internal = name.replace('.', '/');
        byte[] bytes = mutated(internal);
        Path place = classes.place(renaming.original(internal));
        if (bytes == null || place == null || !entries.contains(place)) {
            throw new ClassNotFoundException(name);
        }
        URL from = ClassPath.url(place);
        String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
        if (getDefinedPackage(inPackage) == null) {
            try {
                definePackage(inPackage, manifests.computeIfAbsent(place, MutatedLoader::manifest), from);
            } catch (IllegalArgumentException definedMeanwhile) {
                Objects.requireNonNull(getDefinedPackage(inPackage));
            }
        }
        return defineClass(
                name,
                bytes,
                0,
                bytes.length,
                new ProtectionDomain(new CodeSource(from, (java.security.cert.Certificate[]) null), null, this, null));
    }

    private static Manifest manifest(Path place) {
        if (!place.toString().endsWith(".jar")) {
            return new Manifest();
        }
        try {
            JarURLConnection jar = (JarURLConnection) new URL("jar:" + ClassPath.url(place) + "!/").openConnection();
            return Objects.requireNonNullElseGet(jar.getManifest(), Manifest::new);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the class that has a name now; null if there is none. */
    private byte @Nullable [] mutated(String name) {
        if (renaming.isGone(name)) {
            return null;
        }
        byte[] bytes = classes.bytes(renaming.original(name));
        return bytes == null || isOfIdem(name) || !renaming.mayConcern(bytes) ? bytes : renaming.renamed(bytes);
    }

    @Override
    public @Nullable URL findResource(String name) {
        if (name.endsWith(".class")) {
            String type = name.substring(0, name.length() - ".class".length());
            String original = renaming.original(type);
            URL found = renaming.isGone(type) ? null : super.findResource(original + ".class");
            byte[] bytes = found == null ? null : classes.bytes(original);
            return bytes == null || isOfIdem(type) || !renaming.mayConcern(bytes)
                    ? found
                    : url(name, renaming.renamed(bytes));
        }
        URL found = super.findResource(name);
        return found == null ? null : mutated(name, found);
    }

    /** Does not close, with this loader, the jars that other loaders have open. */
    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        URL found = getResource(name);
        try {
            return found == null ? null : found.openStream();
        } catch (IOException unreadable) {
            return null;
        }
    }

    @Override
    public Enumeration<URL> findResources(String name) throws IOException {
        List<URL> all = new ArrayList<>();
        for (URL one : Collections.list(super.findResources(name))) {
            URL mutated = mutated(name, one);
            if (mutated != null) {
                all.add(mutated);
            }
        }
        return Collections.enumeration(all);
    }

    /** Returns a text with the name as it is now. */
    private @Nullable URL mutated(String name, URL text) {
        boolean spring = name.startsWith("META-INF/spring");
        boolean idems = text.getPath().matches(".*/idem-[^!]*!?/META-INF/.*");
        if (spring && idems) {
            return mutation.kind() == Mutation.Kind.WITHOUT_IDEM ? null : text;
        }
        if (!spring || mutation.kind() != Mutation.Kind.TYPE) {
            return text;
        }
        try (InputStream in = text.openStream()) {
            byte[] bytes = in.readAllBytes();
            return renaming.mayConcern(bytes)
                    ? url(
                            name,
                            renaming.renamed(new String(bytes, StandardCharsets.UTF_8))
                                    .getBytes(StandardCharsets.UTF_8))
                    : text;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static URL url(String name, byte[] content) {
        try {
            return new URL(null, "mutated:/" + name, new URLStreamHandler() {
                @Override
                protected URLConnection openConnection(URL url) {
                    return new Bytes(url, content);
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static final class Bytes extends URLConnection {

        private final byte[] content;

        Bytes(URL url, byte[] content) {
            super(url);
            this.content = content;
        }

        @Override
        public void connect() {}

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(content);
        }

        @Override
        public long getContentLengthLong() {
            return content.length;
        }
    }
}
