package io.idem.applications.mutation;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;

/** Which libraries name types of which others, in code or in texts. */
final class Dependents {

    private static final Pattern CANDIDATES = Pattern.compile("(spring|micrometer)-.*\\.jar");
    private static final Pattern TYPE = Pattern.compile("(?:[a-z][a-z0-9_]*+[./])++[A-Z][\\w$]*+");

    /** Boot finds by a file, and by its own class loader, what makes the context of a web server. */
    private static final String BOOT = "org/springframework/boot/SpringApplication";

    private static final String WEB_SERVER = "org/springframework/boot/web/server/WebServer";

    private static final int UTF8 = 1;

    private final ClassPath path;
    private final Map<Path, Set<Path>> named = new HashMap<>();

    Dependents(ClassPath path) {
        this.path = path;
        path.entries().stream()
                .filter(entry ->
                        CANDIDATES.matcher(entry.getFileName().toString()).matches())
                .forEach(entry -> named.put(entry, namedBy(entry)));
        Objects.requireNonNull(named.get(path.place(BOOT))).add(path.place(WEB_SERVER));
    }

    private Set<Path> namedBy(Path library) {
        Set<Path> all = new HashSet<>();
        path.classes(library::equals).forEach(type -> read(Objects.requireNonNull(path.bytes(type)), all));
        all.remove(library);
        return all;
    }

    /** Adds the places of all types that the constants of a class name. */
    private void read(byte[] type, Set<Path> all) {
        ClassReader reader = new ClassReader(type);
        for (int i = 1; i < reader.getItemCount(); i++) {
            int start = reader.getItem(i);
            if (start > 0 && type[start - 1] == UTF8) {
                String text = new String(type, start + 2, reader.readUnsignedShort(start), StandardCharsets.ISO_8859_1);
                boolean mayName = text.indexOf('/') > 0 || text.indexOf('.') > 0;
                TYPE.matcher(mayName ? text : "")
                        .results()
                        .map(MatchResult::group)
                        .forEach(name -> {
                            Path place = path.place(name.replace('.', '/'));
                            if (place != null) {
                                all.add(place);
                            }
                        });
            }
        }
    }

    /** Returns the libraries and all that depend on them. */
    Set<Path> of(Set<Path> libraries) {
        Set<Path> all = new HashSet<>(libraries);
        while (named.entrySet().stream()
                        .filter(one -> one.getValue().stream().anyMatch(all::contains))
                        .map(Map.Entry::getKey)
                        .filter(all::add)
                        .count()
                > 0) {
            // Others may depend on those that are new.
        }
        return all;
    }
}
