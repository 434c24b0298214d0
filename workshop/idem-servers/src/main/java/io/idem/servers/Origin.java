package io.idem.servers;

/** The origin of a server, in the order of choice. */
public enum Origin {
    /** An address given by the environment, at which a server already runs. */
    GIVEN,
    /** A container on the machine's Docker engine. */
    CONTAINER,
    /** A program installed on the machine, started for this JVM alone. */
    INSTALLED,
    /** A program that travels in a jar, started for this JVM alone. */
    EMBEDDED
}
