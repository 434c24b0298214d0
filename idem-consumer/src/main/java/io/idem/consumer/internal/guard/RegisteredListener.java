package io.idem.consumer.internal.guard;

import io.idem.Scope;
import io.idem.consumer.MissingKeyPolicy;
import io.idem.consumer.internal.definition.ListenerDefinition;
import java.lang.reflect.Method;
import java.util.stream.Stream;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * A listener that was found when the application started.
 *
 * @param transport name of its deliveries in events and meters
 * @param missingKey policy for messages without a key
 */
public record RegisteredListener(Scope scope, String transport, MissingKeyPolicy missingKey) {

    static RegisteredListener of(ListenerDefinition listener) {
        return new RegisteredListener(listener.scope(), transport(listener.method()), listener.missingKey());
    }

    /** Annotations are named by text, since the transports may be absent. */
    private static String transport(Method method) {
        MergedAnnotations annotations = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return Stream.of("RabbitListener", "RabbitHandler")
                        .anyMatch(name -> annotations.isPresent("org.springframework.amqp.rabbit.annotation." + name))
                ? "rabbit"
                : "kafka";
    }
}
