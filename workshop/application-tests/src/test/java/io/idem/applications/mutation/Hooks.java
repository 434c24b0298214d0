package io.idem.applications.mutation;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.Remapper;

/**
 * The types and members of frameworks on which idem's main classes depend in ways that no linker checks: what they extend, implement and
 * override, what they reach by reflection, and what their conditions name. Found in the byte code.
 */
final class Hooks {

    private static final Pattern OURS =
            Pattern.compile(".*/idem-(common|consumer|cloud-stream|jdbc|http)(/target/classes|-[^/]*\\.jar)");

    private static final List<String> FRAMEWORKS = List.of(
            "org/springframework/amqp/",
            "com/rabbitmq/client/",
            "org/springframework/kafka/",
            "org/apache/kafka/",
            "org/postgresql/",
            "org/springframework/cloud/",
            "org/springframework/integration/",
            "org/springframework/messaging/",
            "org/springframework/boot/amqp/",
            "org/springframework/boot/rabbitmq/",
            "org/springframework/boot/kafka/",
            "org/springframework/boot/jdbc/",
            "org/springframework/boot/webmvc/",
            "org/springframework/boot/web/",
            "org/springframework/boot/autoconfigure/",
            "org/springframework/core/",
            "org/springframework/transaction/",
            "org/springframework/aop/",
            "org/springframework/beans/",
            "org/springframework/context/",
            "org/springframework/web/context/",
            "org/springframework/web/filter/",
            "org/springframework/web/method/",
            "org/springframework/web/servlet/");

    /** Methods that take the name of a member, as their last text; more are found where one of idem's own passes it on. */
    private static final Map<String, Use> KNOWN = Map.of(
            "org/springframework/util/ReflectionUtils.findField", Use.FIELD,
            "org/springframework/beans/DirectFieldAccessor.getPropertyValue", Use.FIELD,
            "org/springframework/util/ReflectionUtils.findMethod", Use.METHOD,
            "org/springframework/util/ClassUtils.getMethod", Use.METHOD,
            "java/lang/String.equals", Use.COMPARED);

    private static final Set<String> OF_OBJECT = Set.of("equals", "hashCode", "toString");
    private static final Pattern TYPE_NAME = Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*)+(\\.[A-Z]\\w*)+");

    /** For what a class of idem gives the name of a member. */
    private enum Use {
        FIELD,
        METHOD,
        COMPARED
    }

    private final ClassPath path;
    private final FrameworkTypes types;
    private final Map<String, Use> takers = new HashMap<>(KNOWN);
    private final Map<String, Mutation> found = new TreeMap<>();

    private Hooks(ClassPath path, FrameworkTypes types) {
        this.path = path;
        this.types = types;
    }

    static Collection<Mutation> of(Frameworks frameworks) {
        Hooks hooks = new Hooks(frameworks.path(), frameworks.types());
        List<String> ours = hooks.path.classes(Hooks::isOurs).sorted().toList();
        int known;
        do {
            known = hooks.takers.size();
            hooks.found.clear();
            ours.forEach(hooks::read);
        } while (known < hooks.takers.size());
        return hooks.found.values();
    }

    static boolean isOurs(Path entry) {
        return OURS.matcher(entry.toString()).matches();
    }

    private static boolean isFrameworks(String type) {
        return FRAMEWORKS.stream().anyMatch(type::startsWith);
    }

    private void read(String name) {
        // Processing ahead of time is another matter.
        if (!name.endsWith("Hints") && !name.endsWith("AotProcessor")) {
            ClassReader bytes = new ClassReader(Objects.requireNonNull(path.bytes(name)));
            Reader reader = new Reader(name);
            bytes.accept(reader, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            Set<String> used = new TreeSet<>();
            bytes.accept(
                    new ClassRemapper(new ClassWriter(0), new Remapper(Opcodes.ASM9) {
                        @Override
                        public String map(String type) {
                            used.add(type);
                            return type;
                        }
                    }),
                    ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            reader.end(used.stream()
                    .filter(Hooks::isFrameworks)
                    .filter(type -> types.find(type).isPresent())
                    .collect(Collectors.toSet()));
        }
    }

    private void add(Mutation mutation, String how, String by) {
        found.computeIfAbsent(mutation.kind() + " " + mutation.id(), id -> mutation)
                .hooks()
                .add(how + " " + by);
    }

    private void addType(String type, String how, String by) {
        if (isFrameworks(type) && path.place(type) != null) {
            add(Mutation.ofType(type), how, by);
        }
    }

    private void addMethod(String type, String name, String descriptor, String how, String by) {
        Set<String> origins = types.origins(type, name + descriptor);
        if (!origins.isEmpty() && origins.stream().allMatch(Hooks::isFrameworks)) {
            add(Mutation.ofMethod(origins, name, descriptor), how, by);
        }
    }

    /**
     * Returns the types in which a member is sought whose name is given to reflection: those of the libraries of the class that gives it;
     * of them those of which it gives the simple names, if it gives any.
     */
    private Set<String> reached(Set<String> texts, String by) {
        Pattern libraries = librariesOf(by);
        Set<String> all = path.classes(entry ->
                        libraries.matcher(entry.getFileName().toString()).matches())
                .filter(Hooks::isFrameworks)
                .collect(Collectors.toSet());
        Set<String> named = all.stream()
                .filter(type -> texts.contains(type.substring(type.lastIndexOf('/') + 1)))
                .collect(Collectors.toSet());
        return named.isEmpty() ? all : named;
    }

    private void addField(String name, Set<String> of, String by) {
        Set<String> owners = of.stream()
                .filter(type -> types.find(type).orElseThrow().fields().contains(name))
                .collect(Collectors.toSet());
        if (!owners.isEmpty()) {
            add(Mutation.ofField(owners, name), "read by", by);
        }
    }

    private boolean addMethods(String name, Set<String> of, String how, String by) {
        Set<String> origins = of.stream()
                .flatMap(type -> types.find(type).orElseThrow().methods().stream()
                        .filter(method -> method.startsWith(name + "("))
                        .flatMap(method -> Stream.concat(Stream.of(type), types.origins(type, method).stream())
                                .filter(one -> types.origins(one, method).isEmpty())))
                .filter(type ->
                        types.find(type).filter(found -> !found.isAnnotation()).isPresent())
                .collect(Collectors.toSet());
        boolean found = !origins.isEmpty() && origins.stream().allMatch(Hooks::isFrameworks);
        if (found) {
            related(origins).forEach(owners -> add(Mutation.ofMethod(owners, name, ""), how, by));
        }
        return found;
    }

    /** Returns the types in groups, of which each has those that inherit from another one. */
    private List<Set<String>> related(Set<String> all) {
        List<Set<String>> groups = new ArrayList<>();
        for (String one : all) {
            Set<String> group = new TreeSet<>(Set.of(one));
            groups.removeIf(other -> other.stream()
                            .anyMatch(type -> types.withAncestors(type).contains(one)
                                    || types.withAncestors(one).contains(type))
                    && group.addAll(other));
            groups.add(group);
        }
        return groups;
    }

    private static Pattern librariesOf(String by) {
        if (by.contains("/cloudstream/")) {
            return Pattern.compile("spring-(cloud-stream|integration)-.*");
        }
        if (by.startsWith("io/idem/http/")) {
            return Pattern.compile("spring-(web|webmvc|webflux|boot-servlet)-.*");
        }
        return Pattern.compile(by.contains("/kafka/") ? "spring-kafka-.*" : "spring-(rabbit|amqp)-.*");
    }

    /** Reads a class of idem. */
    private final class Reader extends ClassVisitor {

        private final String by;
        private final Set<String> texts = new TreeSet<>();
        private final Map<Use, Set<String>> names = new EnumMap<>(Use.class);
        private boolean asksForNames;

        Reader(String by) {
            super(Opcodes.ASM9);
            this.by = by;
            Stream.of(Use.values()).forEach(use -> names.put(use, new TreeSet<>()));
        }

        private Set<String> names(Use use) {
            return Objects.requireNonNull(names.get(use));
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            addType(superName, "extended by", by);
            Stream.of(interfaces).forEach(type -> addType(type, "implemented by", by));
        }

        /** Ends the class. A text that is compared may be the name of a called method, for a proxy of one of the types that it uses. */
        private void end(Set<String> used) {
            names(Use.FIELD).forEach(name -> addField(name, reached(texts, by), by));
            names(Use.METHOD).forEach(name -> addMethods(name, reached(texts, by), "called by", by));
            names(Use.COMPARED).removeAll(OF_OBJECT);
            names(Use.COMPARED).forEach(name -> {
                if (!addMethods(name, used, "compared by", by) && asksForNames) {
                    addMethods(name, reached(Set.of(), by), "compared by", by);
                }
            });
        }

        @Override
        public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
            return new Names("named by a condition of");
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            if ((access & (Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC)) == 0 && !name.startsWith("<")) {
                addMethod(by, name, descriptor, "overridden by", by);
            }
            return new Code(name, descriptor, (access & Opcodes.ACC_STATIC) != 0);
        }

        private void named(Object value, String how) {
            if (value instanceof Type type && type.getSort() == Type.OBJECT) {
                addType(type.getInternalName(), how, by);
            } else if (value instanceof String text && TYPE_NAME.matcher(text).matches()) {
                addType(text.replace('.', '/'), how, by);
            }
        }

        private final class Names extends AnnotationVisitor {

            private final String how;

            Names(String how) {
                super(Opcodes.ASM9);
                this.how = how;
            }

            @Override
            public void visit(@Nullable String name, Object value) {
                named(value, how);
            }

            @Override
            public AnnotationVisitor visitArray(String name) {
                return this;
            }

            @Override
            public AnnotationVisitor visitAnnotation(@Nullable String name, String descriptor) {
                return this;
            }
        }

        private final class Code extends MethodVisitor {

            private final String called;
            private final Set<Integer> given = new HashSet<>();
            private final List<String> pushed = new ArrayList<>();
            private boolean pushedGiven;
            private String type = "";
            private boolean ofIdem;

            Code(String name, String descriptor, boolean isStatic) {
                super(Opcodes.ASM9);
                this.called = by + "." + name;
                int place = isStatic ? 0 : 1;
                for (Type parameter : Type.getArgumentTypes(descriptor)) {
                    if (parameter.getClassName().equals("java.lang.String")) {
                        given.add(place);
                    }
                    place += parameter.getSize();
                }
            }

            @Override
            public AnnotationVisitor visitAnnotation(String descriptor, boolean visible) {
                return new Names("named by a condition of");
            }

            @Override
            public void visitLdcInsn(Object value) {
                if (value instanceof String constant) {
                    texts.add(constant);
                    pushed.add(constant);
                    ofIdem = type.startsWith("io.idem.");
                    named(constant, "named by");
                } else if (value instanceof Type constant) {
                    type = constant.getClassName();
                }
            }

            @Override
            public void visitVarInsn(int opcode, int place) {
                pushedGiven |= opcode == Opcodes.ALOAD && given.contains(place);
            }

            @Override
            public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
                Use use = takers.get(owner + "." + name);
                if (use != null && !pushed.isEmpty() && !ofIdem) {
                    names(use).add(pushed.get(pushed.size() - 1));
                } else if (use != null && pushed.isEmpty() && pushedGiven) {
                    takers.putIfAbsent(called, use);
                }
                asksForNames |= (owner + "." + name).equals("java/lang/reflect/Method.getName");
                pushed.clear();
                pushedGiven = false;
            }

            @Override
            public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
                if (bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")) {
                    String type = Type.getReturnType(descriptor).getInternalName();
                    String method = ((Type) arguments[0]).getDescriptor();
                    addType(type, "implemented by", by);
                    types.find(type)
                            .filter(declared ->
                                    isFrameworks(type) && declared.methods().contains(name + method))
                            .ifPresent(declared ->
                                    add(Mutation.ofMethod(Set.of(type), name, method), "implemented by", by));
                }
            }
        }
    }
}
