package io.idem.applications.story;

/** A property of an application that changes how its stories are told. */
public enum Trait {
    /** The application is part of the quick selection. */
    QUICK,
    /** The story of the killed process is told in CI too. */
    KILLED_IN_CI,
    /** idem guards no listener of the application, but a bean method or a handler of HTTP requests. */
    NO_LISTENER,
    /** The application needs a database. */
    DATABASE,
    /** The only store is the inbox in the application's database. */
    INBOX_ALONE,
    /** The application needs a real RabbitMQ, because Apache Qpid lacks a feature. */
    REAL_RABBITMQ
}
