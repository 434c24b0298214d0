package io.idem.consumer.rabbit;

/** Source of the tenant of a RabbitMQ message that names none, names the default one, or is not believed. */
public enum RabbitTenant {
    /** The default tenant, whatever connection the message came over. */
    HEADER,
    /** The tenant that is named like the virtual host that the message came from. */
    VIRTUAL_HOST,
    /**
     * The tenant that is named like the connection that the message came over, by the bean name of the connection
     * factory.
     */
    CONNECTION
}
