package io.idem.jdbc.autoconfigure;

import io.idem.ConfigurationException;
import java.util.List;
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
            List<String> found = List.of(beans.getBeanNamesForType(type));
            throw found.isEmpty() ? missing(type, remedy) : ambiguous(type, found);
        }
    }

    private static ConfigurationException missing(Class<?> type, String remedy) {
        return new ConfigurationException(
                "idem.store=inbox keeps records in the database of the application, which has no "
                        + type.getSimpleName(),
                "Add spring-boot-starter-jdbc and " + remedy + "; or choose another idem.store.");
    }

    private static ConfigurationException ambiguous(Class<?> type, List<String> found) {
        return new ConfigurationException(
                "idem.store=inbox keeps records in the database of the application, which has " + found.size()
                        + " beans of type " + type.getSimpleName() + ": " + String.join(", ", found),
                "Mark the one that the inbox takes as @Primary, and define it yourself if Spring Boot makes them all, as it"
                        + " does beside spring.kafka.producer.transaction-id-prefix; or choose another idem.store.");
    }
}
