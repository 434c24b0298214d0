package io.idem.gateway.openapi;

import java.util.Map;

/** What callers authenticate with. */
public enum Credentials {
    /** The intake's API keys. */
    API_KEY("The API key of a tenant, in `Authorization: Bearer`."),
    /** Tokens of an authorization server. */
    TOKEN("A token of the authorization server, in `Authorization: Bearer`.");

    /** Name of the scheme in the description. */
    static final String SCHEME = "caller";

    private final String text;

    Credentials(String text) {
        this.text = text;
    }

    Map<String, Object> scheme() {
        return Json.object("type", "http", "scheme", "bearer", "description", text);
    }
}
