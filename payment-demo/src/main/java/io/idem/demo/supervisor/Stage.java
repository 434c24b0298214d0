package io.idem.demo.supervisor;

import io.idem.demo.story.ClientListener;
import java.util.Map;

/** The running servers and processes. */
record Stage(
        Intake intake, Map<String, String> apiKeys, Workers workers, Clients clients, ClientListener clientListener) {

    /** The clients of the brokers, which do not use idem. */
    record Clients(AmqpQueues amqp, KafkaTopics kafka) implements AutoCloseable {

        static Clients of(Addresses addresses) {
            return new Clients(new AmqpQueues(addresses.rabbit()), new KafkaTopics(addresses.kafkaClient()));
        }

        @Override
        public void close() {
            amqp.close();
            kafka.close();
        }
    }
}
