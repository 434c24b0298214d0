package io.idem.consumer.autoconfigure;

import java.lang.reflect.Method;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.Environment;

/** Describes for the start-up report where the dead letters of a listener go, by the settings of its transport. */
record DeadLetterDestinations(Environment environment) {

    private static final String KAFKA = "org.springframework.kafka.annotation.KafkaListener";
    private static final String RABBIT = "org.springframework.amqp.rabbit.annotation.RabbitListener";

    /** Returns a text that begins with a comma; empty for a listener of no known transport. */
    String of(Method listener) {
        if (has(listener, KAFKA)) {
            String suffix = environment.getProperty("idem.consumer.kafka.dead-letter.topic-suffix");
            return suffix == null
                    ? ", dead letters to the container's error handler"
                    : ", dead letters to the topic's name plus \"" + suffix + "\"";
        }
        return has(listener, RABBIT) ? rabbit() : "";
    }

    private String rabbit() {
        String exchange = environment.getProperty("idem.consumer.rabbit.dead-letter.exchange");
        if (exchange == null) {
            return ", dead letters by the queue's own policy";
        }
        return exchange.isEmpty()
                ? ", dead letters to the default exchange"
                : ", dead letters to exchange \"" + exchange + "\"";
    }

    private static boolean has(Method listener, String annotation) {
        return MergedAnnotations.from(listener, SearchStrategy.TYPE_HIERARCHY).isPresent(annotation)
                || MergedAnnotations.from(listener.getDeclaringClass(), SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(annotation);
    }
}
