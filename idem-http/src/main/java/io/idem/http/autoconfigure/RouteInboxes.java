package io.idem.http.autoconfigure;

import io.idem.http.RouteOptions;

/** Opens the inboxes of routes at start-up, so that the messages of processes that died are sent before the first request comes. */
@FunctionalInterface
interface RouteInboxes {

    /**
     * Opens the inbox of a route's scope.
     *
     * @throws HttpConfigurationException if the route cannot have an inbox
     */
    void open(RouteOptions route);

    /** Returns the exception for a route that cannot have the inbox that it asks for. */
    static HttpConfigurationException refusal(String why) {
        return new HttpConfigurationException(
                "A route asks for an inbox, and cannot have one: " + why,
                "Add idem-jdbc with a data source and its transaction manager to a servlet application, leave"
                        + " idem.jdbc.enabled=true, or define an Outbox bean; or remove inbox from the route.");
    }
}
