package io.idem.applications.story;

/** The broker of an application. */
public enum Broker {
    /** RabbitMQ, or where there is none, Apache Qpid. */
    RABBITMQ("RabbitMQ"),
    /** Kafka. */
    KAFKA("Kafka");

    private final String title;

    Broker(String title) {
        this.title = title;
    }

    /** As people call it. */
    public String title() {
        return title;
    }

    /** Makes a queue or topic of that name. */
    Site site(String name) {
        return this == RABBITMQ ? new RabbitSite(name) : new KafkaSite(name);
    }
}
