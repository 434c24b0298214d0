package io.idem.gateway.service.internal.openapi;

/** The kinds of credentials. */
public enum Credentials {
    /** An API key of the intake. */
    API_KEY,
    /** A token of an authorization server. */
    TOKEN,
    /** A certificate that the server requests. */
    CERTIFICATE
}
