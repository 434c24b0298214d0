package io.idem.servers;

/** Where a server comes from, in the order of choice. */
public enum Origin {
    /** An address given by the environment; nothing was started. */
    GIVEN,
    /** A container on the machine's Docker engine. */
    CONTAINER,
    /** A program installed on the machine, started for this JVM alone. */
    INSTALLED,
    /** A program that travels in a jar, started for this JVM alone. */
    EMBEDDED
}
