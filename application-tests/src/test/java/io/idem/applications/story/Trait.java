package io.idem.applications.story;

/** What the harness has to know of an application. */
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
