package io.idem.applications.covering;

/** The choices of one application. */
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
