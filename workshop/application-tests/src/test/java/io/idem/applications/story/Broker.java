package io.idem.applications.story;

/** The broker of an application. */
public enum Broker {
    /** RabbitMQ, or Apache Qpid if there is no RabbitMQ. */
    RABBITMQ("RabbitMQ"),
    KAFKA("Kafka");

    private final String title;

    Broker(String title) {
        this.title = title;
    }

    /** Returns the name of the product. */
    public String title() {
        return title;
    }

    /** Creates a queue or topic of that name. */
    Site site(String name) {
        return this == RABBITMQ ? new RabbitSite(name) : new KafkaSite(name);
    }
}
