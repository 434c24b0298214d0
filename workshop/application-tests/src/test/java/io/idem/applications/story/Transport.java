package io.idem.applications.story;

/** The transport of the messages or requests of an application. */
public enum Transport {
    /** RabbitMQ, or Apache Qpid if there is no RabbitMQ. */
    RABBITMQ("RabbitMQ") {
        @Override
        Site site(String name) {
            return new RabbitSite(name);
        }
    },
    KAFKA("Kafka") {
        @Override
        Site site(String name) {
            return new KafkaSite(name);
        }
    },
    /** Requests of a sender that repeats each one until it is answered with 2xx. */
    HTTP("HTTP") {
        @Override
        Site site(String name) {
            return new HttpSite(name);
        }
    };

    private final String title;

    Transport(String title) {
        this.title = title;
    }

    /** Returns the name of the product or the protocol. */
    public String title() {
        return title;
    }

    /** Creates the queue, topic or sender of an application of that name. */
    abstract Site site(String name);
}
