package io.idem.applications.covering;

/** A dimension of an application, with several choices. */
public enum Dimension {
    BROKER,
    CONTAINER,
    ACKNOWLEDGEMENT,
    FACTORY,
    FAILURE,
    PROXY,
    LIFE,
    CONNECTIONS,
    TEMPLATE,
    KEY,
    THREADS
}
