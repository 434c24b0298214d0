package io.idem.applications.mutation;

import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.ClassRemapper;
import org.objectweb.asm.commons.MethodRemapper;
import org.objectweb.asm.commons.Remapper;

/** Gives one type or member another name, in the frameworks' and the application's classes and texts alike. Thread-safe. */
final class Renaming extends Remapper {

    private static final String MOVED = "Moved";
    private static final byte[] EXIT = bytes("exit");

    private final Mutation mutation;
    private final FrameworkTypes types;
    private final String from;
    private final String to;
    private final byte[] trace;
    private final Pattern inText;

    Renaming(Mutation mutation, FrameworkTypes types) {
        super(Opcodes.ASM9);
        this.mutation = mutation;
        this.types = types;
        this.from = mutation.owners().isEmpty() ? "" : mutation.owners().first();
        int simple = from.lastIndexOf('/') + 1;
        this.to = from.substring(0, simple) + MOVED + from.substring(simple);
        boolean ofType = mutation.kind() == Mutation.Kind.TYPE;
        this.trace = bytes(ofType ? from.substring(simple) : mutation.member());
        // A name in a text has points or slashes; a longer one is another type, unless it is nested.
        this.inText = Pattern.compile("(" + from.substring(0, simple).replace("/", "[./]") + ")"
                + Pattern.quote(from.substring(simple)) + "(?![A-Za-z0-9_])");
    }

    /** Returns the name by which a type was compiled that has this name now. */
    String original(String name) {
        return isOf(to, name) ? from + name.substring(to.length()) : name;
    }

    /** Returns whether there is no type of this name any more. */
    boolean isGone(String name) {
        return mutation.kind() == Mutation.Kind.TYPE && isOf(from, name);
    }

    /** Whether the bytes of a class or text may have the name, or end the JVM. */
    boolean mayConcern(byte[] bytes) {
        return has(bytes, trace) || has(bytes, EXIT);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static boolean has(byte[] bytes, byte[] part) {
        for (int i = 0; i <= bytes.length - part.length && part.length > 0; i++) {
            int j = 0;
            while (j < part.length && bytes[i + j] == part[j]) {
                j++;
            }
            if (j == part.length) {
                return true;
            }
        }
        return false;
    }

    byte[] renamed(byte[] type) {
        ClassWriter writer = new ClassWriter(0);
        boolean knowsOwner = mutation.owners().stream().anyMatch(owner -> has(type, bytes(owner)));
        new ClassReader(type)
                .accept(
                        new ClassRemapper(writer, this) {
                            @Override
                            protected MethodVisitor createMethodRemapper(MethodVisitor method) {
                                return new Calls(method, knowsOwner);
                            }
                        },
                        0);
        return writer.toByteArray();
    }

    String renamed(String text) {
        return mutation.kind() == Mutation.Kind.TYPE
                ? inText.matcher(text).replaceAll("$1" + MOVED + from.substring(from.lastIndexOf('/') + 1))
                : text;
    }

    private static boolean isOf(String type, String name) {
        return name.equals(type) || name.startsWith(type + "$");
    }

    @Override
    public String map(String name) {
        return isGone(name) ? to + name.substring(from.length()) : name;
    }

    @Override
    public String mapMethodName(String owner, String name, String descriptor) {
        boolean same = mutation.kind() == Mutation.Kind.METHOD
                && name.equals(mutation.member())
                && (mutation.descriptor().isEmpty() || descriptor.equals(mutation.descriptor()))
                && inherits(owner);
        return same ? name + MOVED : name;
    }

    @Override
    public String mapFieldName(String owner, String name, String descriptor) {
        boolean same = mutation.kind() == Mutation.Kind.FIELD && name.equals(mutation.member()) && inherits(owner);
        return same ? name + MOVED : name;
    }

    private boolean inherits(String owner) {
        return types.withAncestors(owner).stream().anyMatch(mutation.owners()::contains);
    }

    @Override
    public Object mapValue(Object value) {
        return value instanceof String text ? renamed(text) : super.mapValue(value);
    }

    /**
     * A lambda's method has the name of that of its interface. A framework that ends the JVM ends its application. One that compares the
     * name of a called method, or reaches a member by its name, does so by the new one.
     */
    private final class Calls extends MethodRemapper {

        private final boolean byName;

        Calls(MethodVisitor method, boolean knowsOwner) {
            super(Opcodes.ASM9, method, Renaming.this);
            this.byName = knowsOwner
                    && !mutation.member().isEmpty()
                    && mutation.descriptor().isEmpty();
        }

        @Override
        public void visitLdcInsn(Object value) {
            super.visitLdcInsn(byName && value.equals(mutation.member()) ? value + MOVED : value);
        }

        /** A switch over texts is one over their hashes. */
        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            SortedMap<Integer, Label> cases = new TreeMap<>();
            for (int i = 0; i < keys.length; i++) {
                boolean same = byName && keys[i] == mutation.member().hashCode();
                cases.put(same ? (mutation.member() + MOVED).hashCode() : keys[i], labels[i]);
            }
            super.visitLookupSwitchInsn(
                    otherwise,
                    cases.keySet().stream().mapToInt(key -> key).toArray(),
                    cases.values().toArray(Label[]::new));
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean exit = owner.equals("java/lang/System") && name.equals("exit");
            super.visitMethodInsn(
                    opcode, exit ? MutatedLoader.APPLICATION + "RunningShop" : owner, name, descriptor, isInterface);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            boolean lambda = bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory");
            String mapped = lambda
                    ? mapMethodName(
                            Type.getReturnType(descriptor).getInternalName(),
                            name,
                            ((Type) arguments[0]).getDescriptor())
                    : name;
            super.visitInvokeDynamicInsn(mapped, descriptor, bootstrap, arguments);
        }
    }
}
