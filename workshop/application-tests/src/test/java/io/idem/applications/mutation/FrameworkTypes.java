package io.idem.applications.mutation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The types on a class path, by their internal names, with what they inherit. Thread-safe. */
final class FrameworkTypes {

    private final ClassPath path;
    private final Map<String, Optional<Declared>> known = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> ancestors = new ConcurrentHashMap<>();

    FrameworkTypes(ClassPath path) {
        this.path = path;
    }

    /**
     * The members that a type declares itself.
     *
     * @param inherited the superclass, unless it is Object, and the interfaces
     * @param methods names with descriptors
     * @param overridable those of them that are neither private nor static
     */
    record Declared(
            boolean isAnnotation,
            List<String> inherited,
            Set<String> methods,
            Set<String> overridable,
            Set<String> fields) {

        private static final int NOT_INHERITED = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC;

        static Declared read(byte[] type) {
            ClassReader reader = new ClassReader(type);
            Set<String> methods = new LinkedHashSet<>();
            Set<String> overridable = new LinkedHashSet<>();
            Set<String> fields = new LinkedHashSet<>();
            reader.accept(
                    new ClassVisitor(Opcodes.ASM9) {
                        @Override
                        public @Nullable MethodVisitor visitMethod(
                                int access, String name, String descriptor, String signature, String[] exceptions) {
                            methods.add(name + descriptor);
                            if ((access & NOT_INHERITED) == 0) {
                                overridable.add(name + descriptor);
                            }
                            return null;
                        }

                        @Override
                        public @Nullable FieldVisitor visitField(
                                int access, String name, String descriptor, String signature, Object value) {
                            fields.add(name);
                            return null;
                        }
                    },
                    ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            List<String> inherited = Stream.concat(
                            Stream.ofNullable(reader.getSuperName()), Stream.of(reader.getInterfaces()))
                    .filter(name -> !name.equals("java/lang/Object"))
                    .toList();
            return new Declared(
                    (reader.getAccess() & Opcodes.ACC_ANNOTATION) != 0, inherited, methods, overridable, fields);
        }
    }

    /** Returns what a type declares; empty if it is not on the class path, as those of the JDK are not. */
    Optional<Declared> find(String name) {
        return known.computeIfAbsent(
                name, unknown -> Optional.ofNullable(path.bytes(unknown)).map(Declared::read));
    }

    /** Returns the type and all that it inherits from; also those of the JDK that its own ancestors name. */
    Set<String> withAncestors(String name) {
        Set<String> earlier = ancestors.get(name);
        if (earlier != null) {
            return earlier;
        }
        Set<String> all = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            String next = open.remove();
            if (all.add(next)) {
                find(next).ifPresent(type -> open.addAll(type.inherited()));
            }
        }
        ancestors.put(name, all);
        return all;
    }

    /** Returns the ancestors of a type that declare a method and inherit it from no other. */
    Set<String> origins(String name, String method) {
        Set<String> declaring = new LinkedHashSet<>();
        for (String one : withAncestors(name)) {
            if (!one.equals(name)
                    && find(one)
                            .filter(type -> type.overridable().contains(method))
                            .isPresent()) {
                declaring.add(one);
            }
        }
        Set<String> origins = new LinkedHashSet<>(declaring);
        origins.removeIf(one -> {
            Set<String> others = new HashSet<>(withAncestors(one));
            others.remove(one);
            return others.stream().anyMatch(declaring::contains);
        });
        return origins;
    }
}
