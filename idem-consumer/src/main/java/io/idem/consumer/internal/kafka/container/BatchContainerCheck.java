package io.idem.consumer.internal.kafka.container;

import io.idem.consumer.internal.kafka.message.ListenerLayers;
import io.idem.internal.method.HiddenMembers;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.BatchMessagingMessageListenerAdapter;

/** Refuses settings of a container that are right for single records only. */
record BatchContainerCheck(ContainerCheck container) {

    void check(AnnotatedElement annotated) {
        ContainerProperties properties = container.container().getContainerProperties();
        container.refuse(
                !(annotated instanceof Method),
                "is a batch listener on a class: which of its methods gets a batch is decided after the keys are read",
                "Put @KafkaListener on the method");
        container.refuse(
                toRecords(properties.getMessageListener()),
                "gets batches record by record (BatchToRecordAdapter), which swallows what it is to hand back",
                "Remove the batchToRecordAdapter and batch = \"true\"");
        container.refuse(
                properties.isAsyncAcks(),
                "gets batches and settles records out of order (asyncAcks): records behind one in progress would be lost",
                "Leave asyncAcks off, or listen to single records");
    }

    private static boolean toRecords(@Nullable Object listener) {
        return ListenerLayers.of(listener)
                .anyMatch(layer -> layer instanceof BatchMessagingMessageListenerAdapter<?, ?>
                        && HiddenMembers.read(layer, "batchToRecordAdapter") != null);
    }
}
