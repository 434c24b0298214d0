package io.idem.consumer.rabbit;

/** Whose key a message of RabbitMQ has that names no tenant, names the default one, or is not believed. */
public enum RabbitTenant {
    /** The default tenant's, whatever connection it came over. */
    HEADER,
    /** That of the virtual host it came from, by the host's name. */
    VIRTUAL_HOST,
    /** That of the connection it came over, by the bean name of the connection factory. */
    CONNECTION
}
