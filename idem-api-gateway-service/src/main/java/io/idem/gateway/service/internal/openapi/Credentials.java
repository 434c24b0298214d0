package io.idem.gateway.service.internal.openapi;

import java.util.Map;

/** The kinds of credentials. */
public enum Credentials {
    /** An API key of the intake. */
    API_KEY("The API key of a tenant, in `Authorization: Bearer`."),
    /** A token of an authorization server. */
    TOKEN("A token of the authorization server, in `Authorization: Bearer`."),
    /** A certificate that the server requests. */
    CERTIFICATE("A client certificate, whose common name is the tenant.");

    /** The name of the scheme in the description. */
    static final String SCHEME = "caller";

    private final String text;

    Credentials(String text) {
        this.text = text;
    }

    Map<String, Object> scheme() {
        return this == CERTIFICATE
                ? Json.object("type", "mutualTLS", "description", text)
                : Json.object("type", "http", "scheme", "bearer", "description", text);
    }
}
