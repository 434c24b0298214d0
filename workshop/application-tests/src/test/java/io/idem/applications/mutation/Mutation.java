package io.idem.applications.mutation;

import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Type;

/**
 * One name of a framework that is not the one idem was compiled against.
 *
 * @param owners the internal names of the type that is moved, or of those that declare the member first
 * @param member the name of the method or field, or nothing
 * @param descriptor of the method; empty for all methods of the name
 * @param hooks the ways in which idem depends on the name, each with the internal name of a class of idem
 */
record Mutation(Kind kind, NavigableSet<String> owners, String member, String descriptor, NavigableSet<String> hooks) {

    enum Kind {
        /** The application as it is, in which every promise must hold. */
        NONE(""),
        /** No auto-configuration of idem is found. */
        WITHOUT_IDEM(""),
        TYPE("moved type"),
        METHOD("renamed method"),
        FIELD("renamed field");

        private final String title;

        Kind(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    static Mutation of(Kind kind) {
        return new Mutation(kind, new TreeSet<>(), "", "", new TreeSet<>());
    }

    static Mutation ofType(String name) {
        return new Mutation(Kind.TYPE, new TreeSet<>(Set.of(name)), "", "", new TreeSet<>());
    }

    static Mutation ofMethod(Set<String> owners, String name, String descriptor) {
        return new Mutation(Kind.METHOD, new TreeSet<>(owners), name, descriptor, new TreeSet<>());
    }

    static Mutation ofField(Set<String> owners, String name) {
        return new Mutation(Kind.FIELD, new TreeSet<>(owners), name, "", new TreeSet<>());
    }

    /** Returns a name that tells it from all others. */
    String id() {
        return switch (kind) {
            case NONE -> "nothing changed";
            case WITHOUT_IDEM -> "no auto-configuration of idem";
            case TYPE -> owner();
            case METHOD -> owner() + "." + member + parameters();
            case FIELD -> owner() + "." + member + " (field)";
        };
    }

    private String owner() {
        return owners.stream().map(name -> name.replace('/', '.')).collect(Collectors.joining(" and "));
    }

    private String parameters() {
        if (descriptor.isEmpty()) {
            return "(…)";
        }
        return Stream.of(Type.getArgumentTypes(descriptor))
                .map(Type::getClassName)
                .map(name -> name.substring(name.lastIndexOf('.') + 1))
                .collect(Collectors.joining(", ", "(", ")"));
    }

    @Override
    public String toString() {
        return id();
    }
}
