package io.idem.applications.covering;

/** What an application chooses. */
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
