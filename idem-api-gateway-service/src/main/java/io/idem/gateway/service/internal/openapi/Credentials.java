package io.idem.gateway.service.internal.openapi;

import java.util.Map;

/** What callers authenticate with. */
public enum Credentials {
    /** The intake's API keys. */
    API_KEY("The API key of a tenant, in `Authorization: Bearer`."),
    /** Tokens of an authorization server. */
    TOKEN("A token of the authorization server, in `Authorization: Bearer`."),
    /** Certificates that the server asks for. */
    CERTIFICATE("A client certificate, whose common name is the tenant.");

    /** Name of the scheme in the description. */
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
