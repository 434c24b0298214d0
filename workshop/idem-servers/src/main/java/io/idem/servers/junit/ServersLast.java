package io.idem.servers.junit;

import static java.util.Comparator.comparing;

import org.junit.jupiter.api.ClassDescriptor;
import org.junit.jupiter.api.ClassOrderer;
import org.junit.jupiter.api.ClassOrdererContext;
import org.junit.jupiter.api.Tag;

/** Runs the test classes that are tagged {@code servers} after the others, so that a cheap test fails first. */
public final class ServersLast implements ClassOrderer {

    @Override
    public void orderClasses(ClassOrdererContext context) {
        context.getClassDescriptors().sort(comparing(ServersLast::startsServers));
    }

    private static boolean startsServers(ClassDescriptor type) {
        return type.findRepeatableAnnotations(Tag.class).stream().anyMatch(tag -> "servers".equals(tag.value()));
    }
}
