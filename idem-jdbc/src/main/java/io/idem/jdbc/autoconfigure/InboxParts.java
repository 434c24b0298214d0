package io.idem.jdbc.autoconfigure;

import org.springframework.beans.factory.ListableBeanFactory;

/** The beans of an application that the inbox needs where it is the only store. */
record InboxParts(ListableBeanFactory beans) {

    /**
     * Requires that there is one bean of a type, or a primary one.
     *
     * @param remedy says what to do if there is none
     */
    void requireOnly(Class<?> type, String remedy) {
        if (beans.getBeanProvider(type).getIfUnique() == null) {
            int found = beans.getBeanNamesForType(type).length;
            throw new RefusedSettingException(
                    "idem.store=inbox keeps records in the database of the application, which has "
                            + (found == 0 ? "no " : found + " beans of type ") + type.getSimpleName(),
                    found == 0
                            ? "Add spring-boot-starter-jdbc and " + remedy + "; or choose another idem.store."
                            : "Mark the one that the inbox takes as @Primary; or choose another idem.store.");
        }
    }
}
