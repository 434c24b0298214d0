package io.idem.applications.story;

/** A property of an application that changes how its stories are told. */
public enum Trait {
    /** Is part of the quick selection. */
    QUICK,
    /** Its story of the killed process is told in CI too. */
    KILLED_IN_CI,
    /** Needs a database. */
    DATABASE,
    /** Needs a real RabbitMQ: Apache Qpid cannot do what it does. */
    REAL_RABBITMQ
}
