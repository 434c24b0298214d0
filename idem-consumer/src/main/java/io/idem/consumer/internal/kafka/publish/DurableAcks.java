package io.idem.consumer.internal.kafka.publish;

import io.idem.consumer.ListenerConfigurationException;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.producer.ProducerConfig;

/** Requires acks=all: a confirm means something only if every in-sync replica has the record. */
public final class DurableAcks {

    private static final Set<String> DURABLE = Set.of("all", "-1");

    private DurableAcks() {}

    /** Returns whether the settings, or Kafka's default where they do not say, wait for all in-sync replicas. */
    public static boolean areIn(Map<String, Object> producerSettings) {
        Object acks = producerSettings.get(ProducerConfig.ACKS_CONFIG);
        return acks == null || DURABLE.contains(acks.toString().trim());
    }

    /**
     * Refuses weaker settings.
     *
     * @param who whose settings they are
     */
    public static void require(String who, Map<String, Object> producerSettings) {
        if (!areIn(producerSettings)) {
            throw new ListenerConfigurationException(
                    who + " sends with acks=" + producerSettings.get(ProducerConfig.ACKS_CONFIG)
                            + ": a confirmed message could be lost with one broker",
                    "Set spring.kafka.producer.acks=all, or remove the setting; or do without the propagating template by"
                            + " idem.consumer.propagating-templates=false");
        }
    }
}
